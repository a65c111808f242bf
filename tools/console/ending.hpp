// How a command ends that has nothing to lose.
#pragma once

namespace boardwright::tools {

// If this command hasn't ended by itself a tenth of a second after SIGINT, it is ended, whatever it is at.
void end_soon_when_interrupted();

// While it lasts it is so: for a part of a command, such as reading a rule file, before there is anything to
// tell.
class EndingSoon {
public:
  EndingSoon();
  ~EndingSoon();
  EndingSoon(const EndingSoon&) = delete;
  EndingSoon& operator=(const EndingSoon&) = delete;

private:
  bool before_;
};

} // namespace boardwright::tools
