// Work that is handed to a scheduler: done by it, refused by it, left undone; never done here unasked.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

namespace schedulers_test {

using namespace boardwright::tests;
namespace fs = std::filesystem;

namespace {

// A folder with one program of this name, which goes before others of the name.
std::string folder_with(const std::string& program, const std::string& text) {
  const std::string folder = scratch().path("programs_" + program);
  fs::create_directories(folder);
  std::ofstream(folder + "/" + program) << "#!/bin/sh\n" << text;
  fs::permissions(folder + "/" + program, fs::perms::owner_all);
  return folder;
}

const std::string kWork = "evaluate breakthrough --set columns=3 --set rows=5 --games 8 --strengths "
                          "random,varied:1";

Run run_with(const std::string& programs, const std::string& arguments) {
  return shell("PATH=" + programs + ":$PATH " + program_path() + " " + arguments);
}

// As sbatch does it: each of the tasks runs the wrapped text, and what they write goes to the file that was
// named. `each` stands in the loop.
std::string sbatch(const std::string& each) {
  return R"script(for word; do case $word in
  --array=0-*) last=${word#--array=0-} ;;
  --output=*) output=${word#--output=} ;;
esac; done
while [ "$1" != --wrap ]; do shift; done
task=0
echo "Submitted batch job 7"
while [ $task -le "$last" ]; do
)script" +
         each +
         R"script(
  SLURM_ARRAY_TASK_ID=$task sh -c "$2" >> "$output" 2>&1
  task=$((task + 1))
done
)script";
}

} // namespace

TEST_CASE("schedulers: what a cluster refuses is not done here") {
  const std::string refuses =
      folder_with("sbatch", "echo 'sbatch: error: invalid partition specified: shrt' >&2; exit 1\n");
  const std::string folder = fresh_folder("refused");
  const Run told = run_with(refuses, kWork + " --units " + folder + " --on slurm:--partition=shrt");
  CHECK(told.status == 3);
  CHECK(told.out.empty());
  CHECK(has(told.err, "Slurm: sbatch: error: invalid partition specified: shrt\n"));
  CHECK(has(told.err, "error: 7 of 7 pieces of work are not done: slurm ended with status 1; its last line: "
                      "sbatch: error: invalid partition specified: shrt\n"));
  CHECK(has(told.err, "`--on slurm:--partition=shrt,local` does here what is left"));
  CHECK(units_in(folder) == 0);
  CHECK(has(read(folder + "/slurm.log"), "invalid partition"));
  const Run here = run_with(refuses, kWork + " --units " + folder + " --on slurm:--partition=shrt,local");
  CHECK(here.status == 0);
  CHECK(here.out == run(kWork).out);
  CHECK(units_in(folder) == 7);
}

TEST_CASE("schedulers: one that isn't there, or does nothing, leaves the work undone") {
  const std::string fails = folder_with("parallel", "exit 127\n");
  CHECK(run_with(fails, kWork + " --units " + fresh_folder("absent") + " --on parallel:2").status == 3);
  CHECK(units_in(scratch().path("absent")) == 0);
  const std::string idle = folder_with("sbatch", "exit 0\n");
  for (const char* command : {"playouts breakthrough --count 20000", "sweep breakthrough --games 4"}) {
    const Run told =
        run_with(idle, std::string(command) + " --units " + fresh_folder("idle") + " --on slurm");
    CHECK(told.status == 3);
    CHECK(has(told.err, "pieces of work are not done: slurm ended with status 0"));
    CHECK(units_in(scratch().path("idle")) == 0);
  }
}

TEST_CASE("schedulers: what is left is handed over again, and what jobs write is kept and shown") {
  const std::string works = folder_with("sbatch", sbatch("echo \"task $task on a node\" >> \"$output\""));
  const std::string folder = fresh_folder("handed_over");
  const Run done = run_with(works, kWork + " --units " + folder + " --on slurm");
  CHECK(done.status == 0);
  CHECK(done.out == run(kWork).out);
  CHECK(has(done.err, "Slurm: Submitted batch job 7\n"));
  CHECK(has(done.err, "Slurm's jobs: task 6 on a node\n"));
  CHECK(has(read(folder + "/slurm.jobs.log"), "task 0 on a node\n"));
  // Every second task is lost: the second round has three left, the third one.
  const std::string loses =
      folder_with("sbatch", sbatch("if [ $((task % 2)) = 1 ]; then task=$((task + 1)); continue; fi"));
  const Run again = run_with(loses, kWork + " --units " + fresh_folder("lost") + " --on slurm");
  CHECK(again.status == 0);
  CHECK(again.out == done.out);
}

TEST_CASE("schedulers: `local` stands alone at the end") {
  const std::string units = " --units " + scratch().path("odd");
  CHECK(run(kWork + units + " --on local").status == 2);
  CHECK(run(kWork + units + " --on ,local").status == 2);
  CHECK(run(kWork + units + " --on parallel:,local").status == 2);
  CHECK(has(run("help evaluate").out, "--on 'slurm:--partition=short --time=60'"));
}

} // namespace schedulers_test
