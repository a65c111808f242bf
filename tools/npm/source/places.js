// What the engine says of a text, as index.d.ts has it.
export function placesOf(diagnostics = []) {
  return diagnostics.map(({ end_line: endLine, end_column: endColumn, ...rest }) => (endLine === undefined ? rest : { ...rest, endLine, endColumn }));
}
