#include "tools/commands/work_options.hpp"

#include "tools/commands/common_options.hpp"

namespace boardwright::tools {
namespace {

// `3/8`: the third of eight parts.
void parse_shard(const std::string& text, WorkOptions& work) {
  constexpr std::uint64_t kMost = 1'000'000;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw CLI::ValidationError("--shard", fmt::format("`{}` is not of the form 3/8", printable(text)));
  work.shards = parse_number<std::uint64_t>("--shard", text.substr(slash + 1), 1, kMost);
  work.shard = parse_number<std::uint64_t>("--shard", text.substr(0, slash), 1, work.shards);
}

// `slurm,local`: what is left of it is done here.
void parse_scheduler(const std::string& text, WorkOptions& work) {
  constexpr std::string_view kHere = ",local";
  const bool or_here = text.ends_with(kHere) && !text.starts_with("list:");
  const std::string on = or_here ? text.substr(0, text.size() - kHere.size()) : text;
  const std::string name = on.substr(0, on.find(':'));
  const bool more = on.size() > name.size() + 1;
  if (name == "slurm" ? on != "slurm:" : more && (name == "parallel" || name == "list")) {
    work.on = on;
    work.or_here = or_here;
    return;
  }
  throw CLI::ValidationError("--on", fmt::format("`{}` is not of the form parallel:4, parallel:HOST,HOST, "
                                                 "slurm, slurm:OPTIONS or list:FILE; with `,local` behind "
                                                 "it what they leave is done here",
                                                 printable(text)));
}

} // namespace

CLI::Option* add_units(CLI::App& command, WorkOptions& work) {
  CLI::Option* units =
      command
          .add_option(
              "--units", work.folder,
              "Keeps the results of all pieces of work in this folder, and does only what has none there")
          ->type_name("FOLDER");
  CLI::Option* shard =
      command
          .add_option_function<std::string>(
              "--shard", [&work](const std::string& text) { parse_shard(text, work); },
              "Does only the first, second … of N parts of the work, for machines that share it; see "
              "`help evaluate`")
          ->type_name("I/N")
          ->needs(units);
  command
      .add_option_function<std::string>(
          "--on", [&work](const std::string& text) { parse_scheduler(text, work); },
          "Hands the work to others: parallel:4, so many workers here, by GNU parallel; parallel:HOST,HOST, "
          "machines that ssh reaches and that see the same folders, as its --sshlogin has them; slurm, or "
          "slurm:OPTIONS of its sbatch; list:FILE, commands for any other scheduler, one a line, and no "
          "answer while there are any. What they leave undone is not done on this machine (status 3), but "
          "with `,local` behind it: slurm,local")
      ->type_name("WHERE")
      ->needs(units)
      ->excludes(shard);
  command.add_flag("--quiet", work.quiet, "Of a part of the work says nothing: for workers")->needs(shard);
  return units;
}

void add_work(CLI::App& command, WorkOptions& work) {
  add_number(command, "--threads", work.threads, 1, kMaxThreads, "How many threads play (1)");
  (void)add_units(command, work);
}

} // namespace boardwright::tools
