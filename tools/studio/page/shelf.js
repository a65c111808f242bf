// What one has made, kept in the browser (IndexedDB): games with their rules and how they stand, and earlier versions
// of the rules. A game is written only over the revision that was read: what another tab has written stays. Nothing
// here knows of pages.

const databaseName = "boardwright-studio";
const mostVersions = 60; // of a game
const pause = 2 * 60 * 1000; // milliseconds without a change, after which the text before is worth a version
const keptDeleted = 30 * 24 * 3600 * 1000;

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const finished = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("nothing was written"));
  });

function openDatabase() {
  const request = indexedDB.open(databaseName, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("games", { keyPath: "id" });
    request.result.createObjectStore("versions", { keyPath: "number", autoIncrement: true }).createIndex("game", "game");
  };
  return done(request);
}

export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => (byte % 36).toString(36)).join("");

export class Shelf {
  // Null where the browser keeps nothing.
  static async open() {
    try {
      return new Shelf(await openDatabase());
    } catch {
      return null;
    }
  }

  constructor(database) {
    this.database = database;
    database.onversionchange = () => database.close();
  }

  get(id) {
    return done(this.database.transaction("games").objectStore("games").get(id));
  }

  // The newest first; those that were deleted only on demand.
  async all({ deleted = false } = {}) {
    const games = await done(this.database.transaction("games").objectStore("games").getAll());
    return games.filter((game) => Boolean(game.deleted) === deleted).sort((a, b) => b.changed - a.changed);
  }

  // Answers the game with its new revision, or `{ conflict }`: what stands there instead. `game.revision` is the one
  // that was read, 0 for a new game.
  async put(game, now = Date.now()) {
    const transaction = this.database.transaction(["games", "versions"], "readwrite");
    const games = transaction.objectStore("games");
    const there = await done(games.get(game.id));
    if ((there?.revision ?? 0) !== game.revision) {
      transaction.abort();
      return { conflict: there ?? null };
    }
    const kept = { ...game, revision: game.revision + 1, created: there?.created ?? now, changed: now, typed: there?.typed ?? now };
    if (there && there.text !== game.text) {
      if (now - there.typed > pause || game.mark) this.addVersion(transaction, there);
      kept.typed = now;
    }
    delete kept.mark;
    delete kept.noted;
    games.put(kept);
    transaction.commit?.();
    await finished(transaction);
    return kept;
  }

  addVersion(transaction, { id, text, name, typed }) {
    const versions = transaction.objectStore("versions");
    versions.add({ game: id, text, name, date: typed });
    const request = versions.index("game").getAllKeys(id);
    request.onsuccess = () => request.result.slice(0, -mostVersions).forEach((number) => versions.delete(number));
  }

  // The newest first.
  async versions(id) {
    const found = await done(this.database.transaction("versions").objectStore("versions").index("game").getAll(id));
    return found.reverse();
  }

  async delete(id, now = Date.now()) {
    await this.change(id, (game) => ({ ...game, deleted: now }));
  }

  async restore(id) {
    await this.change(id, ({ deleted, ...game }) => game);
  }

  async change(id, how) {
    const transaction = this.database.transaction("games", "readwrite");
    const games = transaction.objectStore("games");
    const game = await done(games.get(id));
    if (game) games.put({ ...how(game), revision: game.revision + 1 });
    await finished(transaction);
  }

  // What was deleted long ago goes for good.
  async sweep(now = Date.now()) {
    const old = (await this.all({ deleted: true })).filter((game) => now - game.deleted > keptDeleted);
    for (const { id } of old) {
      const transaction = this.database.transaction(["games", "versions"], "readwrite");
      transaction.objectStore("games").delete(id);
      const versions = transaction.objectStore("versions");
      const request = versions.index("game").getAllKeys(id);
      request.onsuccess = () => request.result.forEach((number) => versions.delete(number));
      await finished(transaction);
    }
  }

  // All that is kept, as the text of one file.
  async export() {
    const games = await this.all();
    const versions = await done(this.database.transaction("versions").objectStore("versions").getAll());
    const mine = new Set(games.map((game) => game.id));
    return JSON.stringify({ boardwright: "my games", format: 1, games, versions: versions.filter((one) => mine.has(one.game)) }, null, 1);
  }

  // Answers how many games came in. A game that is here already and differs comes in beside it.
  async import(text) {
    const file = JSON.parse(text);
    if (file?.boardwright !== "my games" || !Array.isArray(file.games)) throw new Error("this is no file of games that the studio has written");
    let count = 0;
    for (const game of file.games) {
      if (typeof game?.text !== "string" || typeof game.id !== "string") continue;
      const there = await this.get(game.id);
      const same = there && !there.deleted && there.text === game.text && JSON.stringify(there.play) === JSON.stringify(game.play);
      if (same) continue;
      const id = there ? newId() : game.id;
      const transaction = this.database.transaction(["games", "versions"], "readwrite");
      const { deleted, ...kept } = game;
      transaction.objectStore("games").put({ ...kept, id, name: String(game.name ?? "A game"), revision: 1, changed: Number(game.changed) || Date.now(), created: Number(game.created) || Date.now(), typed: Number(game.typed) || Date.now() });
      for (const version of Array.isArray(file.versions) ? file.versions : [])
        if (version?.game === game.id && typeof version.text === "string") transaction.objectStore("versions").add({ game: id, text: version.text, name: String(version.name ?? ""), date: Number(version.date) || Date.now() });
      await finished(transaction);
      ++count;
    }
    return count;
  }
}
