#include "runtime/executor/answers.hpp"
#include "runtime/executor/looks.hpp"
#include "runtime/executor/position.hpp"

template class boardwright::runtime::executor::Executor<4>;
