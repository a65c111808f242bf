// Work that recurses deeply, on a stack of its own.
#pragma once

#include <functional>

namespace boardwright::runtime {

// Does the work, on a thread with a large stack unless this is one already, and waits for it. What it throws
// comes through. Where the system gives no such thread the caller's stack has to do.
void on_large_stack(const std::function<void()>& work);

} // namespace boardwright::runtime
