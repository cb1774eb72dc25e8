#include <exception>
#include <iostream>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
    CLI::App app{"64-bit, time-ordered unique ids that are never handed out twice", "firn"};
    try {
        firn::cli::add_audit(app);
        firn::cli::add_decode(app);
        firn::cli::add_demo(app);
        firn::cli::add_doctor(app);
        firn::cli::add_encode(app);
        firn::cli::add_journal(app);
        firn::cli::add_lab(app);
        firn::cli::add_layouts(app);
        firn::cli::add_next(app);
        firn::cli::add_range(app);
        firn::cli::add_serve(app);
        firn::cli::add_version(app);
        firn::cli::add_watch(app);

        if (argc == 1) throw CLI::CallForHelp{};
        app.parse(argc, argv);
        return 0;
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::RuntimeError& end) {
        return end.get_exit_code();
    } catch (const CLI::ParseError& wrong) {
        std::cerr << "firn: " << wrong.what() << '\n';
        return 2;
    } catch (const std::exception& failure) {
        std::cerr << "firn: " << failure.what() << '\n';
        return 1;
    }
}
