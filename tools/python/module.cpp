// The module `boardwright._core`: what Python sees of rules, states and batches.
#include "tools/python/module.hpp"

#include "dsl/finder.hpp"

#include <pybind11/stl.h>

namespace boardwright::python {

namespace {

PyObject* refuse_to_make(PyTypeObject* type, PyObject*, PyObject*) {
  PyErr_Format(PyExc_TypeError, "%s: made by boardwright.load and what it gives", type->tp_name);
  return nullptr;
}

} // namespace

void forbid_making(const py::object& type) {
  reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new = &refuse_to_make;
}

} // namespace boardwright::python

PYBIND11_MODULE(_core, module) {
  using namespace boardwright;
  module.attr("__version__") = BOARDWRIGHT_VERSION;
  python::py::register_exception<python::FaultError>(module, "Fault", PyExc_RuntimeError).attr("__doc__") =
      "A rule went wrong, or an action isn't legal.";
  module.def("games", &dsl::known_games,
             "The names that load() knows: bundled games, and those in the folders of BOARDWRIGHT_PATH.");
  python::add_rules(module);
  python::add_state(module);
  python::add_batch(module);
  python::add_search(module);
  python::add_player(module);
}
