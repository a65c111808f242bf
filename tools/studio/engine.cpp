// What the worker of the page calls: a text in, a text out, which stays as it is until the next call.
#include "tools/studio/studios.hpp"

#include <string>

extern "C" const char* boardwright_ask(const char* request) {
  static boardwright::tools::Studios studios;
  static std::string answer;
  answer = studios.ask(request);
  return answer.c_str();
}
