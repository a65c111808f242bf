// How a command ends that has nothing to lose.
#pragma once

namespace boardwright::tools {

// If this command hasn't ended by itself a tenth of a second after SIGINT, it is ended, whatever it is at.
void end_soon_when_interrupted();

} // namespace boardwright::tools
