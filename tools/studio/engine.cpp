// What the worker of the page calls: a text in, a text out, which stays as it is until the next call.
#include "tools/studio/studio.hpp"

#include <string>

extern "C" const char* boardwright_ask(const char* request) {
  static boardwright::tools::Studio studio;
  static std::string answer;
  answer = studio.ask(request);
  return answer.c_str();
}
