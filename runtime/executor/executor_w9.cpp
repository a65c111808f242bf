#include "runtime/executor/run.hpp"

template class boardwright::runtime::executor::Executor<9>;
