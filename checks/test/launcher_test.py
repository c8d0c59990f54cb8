# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the launcher: a copy of it in an empty checkout, with small scripts in place of apt, CMake, Ninja and CTest.

Usage: launcher_test.py LAUNCHER. The scripts append their calls to a log, which says what the launcher did.
"""

import os
import pathlib
import pty
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

LAUNCHER = pathlib.Path(sys.argv.pop(1)).resolve()

DPKG_QUERY = """
for name in "$@"; do case $name in -*) ;; *) [ -e "$FAKE/missing" ] || printf 'installed:%s ' "$name";; esac; done
[ ! -e "$FAKE/missing" ]"""
APT_GET = """
case " $* " in
  *" update "*) exit 0;;
esac
if [ -e "$FAKE/apt-error" ]; then cat "$FAKE/apt-error" >&2; exit 100; fi
rm -f "$FAKE/missing\""""
CMAKE = """
if [ "$1" = --version ]; then echo "cmake version $(cat "$FAKE/cmake-version")"; exit 0; fi
if [ -e "$FAKE/cmake-error" ]; then cat "$FAKE/cmake-error"; exit 1; fi
[ "$1" = --fresh ] && shift
mkdir -p "$2/build/ci"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$2" >"$2/build/ci/CMakeCache.txt"
touch "$2/build/ci/build.ninja\""""
NINJA = """
if [ -e "$FAKE/ninja-error" ]; then cat "$FAKE/ninja-error"; exit 1; fi
if [ -e "$FAKE/slow" ]; then echo begin >>"$FAKE/order"; read line <"$FAKE/slow"; echo end >>"$FAKE/order"; fi
echo '[1/2] Building one'
echo '[2/2] Linking two'
mkdir -p "$2/bin"
printf '#!/bin/sh\\necho "program in $PWD with <$1> <$2>"\\nexit ${STATUS:-0}\\n' >"$2/bin/lockstep"
chmod +x "$2/bin/lockstep\""""
CTEST = """
echo "100% tests passed"
exit ${STATUS:-0}"""
FAKES = {"dpkg-query": DPKG_QUERY, "apt-get": APT_GET, "cmake": CMAKE, "ninja": NINJA, "ctest": CTEST, "npm": ""}
# Programs of a bare system that the launcher may use.
BASE = "bash cat chmod cmp cp dirname env find flock grep head mkdir mv nproc readlink rm sed sort touch"


# A user id that owns nothing (Debian's "nobody").
NOBODY = 65534


class LauncherCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.fake = pathlib.Path(folder.name).resolve()
        self.fake.chmod(0o777)
        self.root = self.fake / "check out"
        self.bin = self.fake / "bin"
        for path in (self.root / "cmake", self.root / "part", self.bin):
            path.mkdir(parents=True)
        (self.root / "CMakeLists.txt").write_text("add_subdirectory(part)\n")
        (self.root / "CMakePresets.json").write_text("{}\n")
        (self.root / "part" / "a.cpp").write_text("\n")
        shutil.copy(LAUNCHER, self.root / "lockstep")
        (self.fake / "cmake-version").write_text("3.25.1")
        for name in BASE.split() + ["sh", "true"]:
            program = shutil.which(name)
            if program:
                (self.bin / name).symlink_to(program)
        for name, body in FAKES.items():
            self.program(name, body)
        self.past = time.time() - 100
        self.age_sources()

    def age_sources(self):
        for path in self.root.rglob("*"):
            if "build" not in path.parts:
                os.utime(path, (self.past, self.past))

    def program(self, name, body):
        path = self.bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"$FAKE/calls"{body}\n')
        path.chmod(0o755)

    def environment(self, **more):
        return {"PATH": str(self.bin), "FAKE": str(self.fake), "TERM": "xterm", **more}

    def launch(self, *arguments, launcher=None, cwd=None, user=None, **variables):
        return subprocess.run(
            [str(launcher or self.root / "lockstep"), *arguments],
            cwd=cwd or self.fake,
            env=self.environment(**variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            user=user,
        )

    def nobody(self):
        """A user who owns nothing, for launch; skips the test where such a user cannot reach the checkout."""
        closed = [path for path in self.root.parents if not path.stat().st_mode & stat.S_IXOTH]
        if closed:
            self.skipTest(f"only its owner can enter {closed[-1]}")
        return NOBODY

    def calls(self):
        """Names of the faked programs that ran since the last call, versions and queries left out."""
        path = self.fake / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [line for line in lines if not line.startswith(("cmake --version", "dpkg-query"))]

    def fails_with(self, text, *arguments, **options):
        result = self.launch(*arguments, **options)
        self.assertEqual(3, result.returncode, result)
        self.assertIn(text, result.stderr)
        self.assertEqual("", result.stdout)
        return result


class Phases(LauncherCase):
    def test_from_nothing_each_phase_once_and_the_arguments_arrive(self):
        (self.fake / "missing").touch()
        result = self.launch("run", "a b")
        self.assertEqual((0, f"program in {self.fake} with <run> <a b>\n"), (result.returncode, result.stdout))
        self.assertEqual(["apt-get", "apt-get", "cmake", "ninja"], [call.split()[0] for call in self.calls()])
        for phase in ("installing", "configuring", "building"):
            self.assertIn(f"lockstep: {phase}", result.stderr)
        self.assertEqual(3, len(result.stderr.splitlines()), result.stderr)

    def test_npm_is_installed_where_the_program_is_missing_whatever_packages_there_are(self):
        (self.bin / "npm").unlink()
        self.assertEqual(0, self.launch().returncode)
        self.assertIn("apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends npm", self.calls())
        self.program("npm", "")
        self.calls()
        (self.root / "part" / "a.cpp").touch()
        self.launch()
        self.assertNotIn("apt-get", "\n".join(self.calls()))

    def test_with_nothing_to_do_nothing_runs_and_nothing_is_said(self):
        self.launch()
        self.calls()
        result = self.launch("x")
        self.assertEqual(([], ""), (self.calls(), result.stderr))

    def test_changed_added_and_deleted_sources_are_built(self):
        self.launch()
        for change in (
            lambda: (self.root / "part" / "a.cpp").write_text("int x;\n"),
            lambda: (self.root / "part" / "b.cpp").write_text("\n"),
            lambda: (self.root / "part" / "a.cpp").unlink(),
            lambda: (self.root / "CMakeLists.txt").write_text("add_subdirectory(part)\n\n"),
        ):
            self.age_sources()
            self.launch()
            self.calls()
            change()
            self.launch()
            self.assertEqual(1, sum(call.startswith("ninja") for call in self.calls()))

    def test_the_program_decides_the_exit_status(self):
        self.assertEqual(1, self.launch(STATUS="1").returncode)

    def test_the_program_learns_how_the_user_spelt_the_launcher(self):
        self.launch()
        program = self.root / "build/ci/bin/lockstep"
        program.write_text('#!/bin/sh\necho "$LOCKSTEP_COMMAND"\n')
        result = subprocess.run(
            ["bash", "-c", "./lockstep run"], cwd=self.root, env=self.environment(), capture_output=True, text=True
        )
        self.assertEqual("./lockstep\n", result.stdout)

    def test_by_symbolic_link_and_from_another_folder(self):
        link = self.fake / "link"
        link.symlink_to(self.root / "lockstep")
        self.assertEqual("program in / with <x> <>\n", self.launch("x", launcher=link, cwd="/").stdout)

    def test_a_moved_checkout_is_configured_anew(self):
        self.launch()
        self.calls()
        moved = self.fake / "moved"
        self.root.rename(moved)
        self.launch(launcher=moved / "lockstep")
        self.assertEqual(["cmake", "ninja"], [call.split()[0] for call in self.calls()])

    def test_a_changed_preset_configures_afresh(self):
        self.launch()
        self.calls()
        (self.root / "CMakePresets.json").write_text("{ }\n")
        self.launch()
        self.assertEqual(["cmake --fresh", "ninja -C"], [" ".join(call.split()[:2]) for call in self.calls()])

    def test_build_stops_after_the_build(self):
        self.assertEqual((0, ""), (lambda result: (result.returncode, result.stdout))(self.launch("build")))
        self.assertIn("product", self.calls()[-1])

    def test_nothing_is_written_outside_the_build_folder(self):
        before = sorted(path for path in self.root.rglob("*"))
        self.launch()
        after = sorted(path for path in self.root.rglob("*") if "build" not in path.parts)
        self.assertEqual(before, after)

    def test_progress_on_a_terminal(self):
        parent, child = pty.openpty()
        command = [str(self.root / "lockstep")]
        process = subprocess.Popen(command, env=self.environment(), stdin=child, stdout=child, stderr=child)
        os.close(child)
        output = b""
        try:
            while chunk := os.read(parent, 4096):
                output += chunk
        except OSError:
            pass  # Linux reports the end of a terminal as an error.
        os.close(parent)
        self.assertEqual(0, process.wait())
        self.assertIn(b"lockstep: building: 2/2", output)
        self.assertTrue(output.rstrip().endswith(b"with <> <>"), output)


class Tests(LauncherCase):
    def test_everything_is_built_and_ctest_has_the_last_word(self):
        result = self.launch("test", "-R", "name", STATUS="8")
        self.assertEqual((8, "100% tests passed\n"), (result.returncode, result.stdout))
        build, ctest = self.calls()[-2:]
        self.assertTrue(build.startswith("ninja") and build.endswith(" all"), build)
        self.assertTrue(ctest.endswith(" -R name"), ctest)

    def test_quick(self):
        self.launch("test", "--quick")
        self.assertTrue(self.calls()[-1].endswith(" -L quick"))


class Environment(LauncherCase):
    def apt_fails(self, text):
        (self.fake / "missing").touch()
        (self.fake / "apt-error").write_text(text)

    def test_no_network(self):
        self.apt_fails("Err: Temporary failure resolving 'host'\nE: Unable to locate package cmake\n")
        result = self.fails_with("no network")
        self.assertIn("build/log/apt.log", result.stderr)

    def test_unknown_package(self):
        self.apt_fails("E: Unable to locate package libmlir-22-dev\n")
        self.fails_with("Unable to locate package libmlir-22-dev (log: build/log/apt.log); enable")

    def test_no_root_and_no_sudo(self):
        (self.fake / "missing").touch()
        if os.geteuid() != 0:
            self.fails_with("as root: apt-get install")
            return
        nobody = self.nobody()
        for path in [self.root, *self.root.rglob("*")]:
            os.chown(path, nobody, nobody)
        self.fails_with("as root: apt-get install", user=nobody)

    def test_sudo_where_not_root(self):
        (self.fake / "missing").touch()
        self.program("sudo", '\n[ "$1" = -n ] && shift\nexec "$@"')
        user = self.nobody() if os.geteuid() == 0 else None
        if user:
            for path in [self.root, *self.root.rglob("*")]:
                os.chown(path, user, user)
        (self.fake / "calls").touch()
        (self.fake / "calls").chmod(0o666)
        self.assertEqual(0, self.launch(user=user).returncode)
        self.assertIn("sudo -n env DEBIAN_FRONTEND=noninteractive", "\n".join(self.calls()))

    def test_a_system_without_apt_needs_the_programs(self):
        for name in ("apt-get", "dpkg-query"):
            (self.bin / name).unlink()
        result = self.fails_with("these programs are missing: clang++-22 python3")
        self.assertEqual(1, len(result.stderr.splitlines()))
        for name in ("clang++-22", "python3", "llvm-config-22", "clang-format-22"):
            self.program(name, "")
        self.assertEqual(0, self.launch().returncode)

    def test_too_old_cmake(self):
        (self.fake / "cmake-version").write_text("3.9.2")
        self.fails_with("CMake 3.9.2 is too old: 3.25 or newer is needed")

    def test_configure_error(self):
        (self.fake / "cmake-error").write_text("CMake Error at CMakeLists.txt:3:\n  what is wrong\n")
        self.assertIn("what is wrong", self.fails_with("configuring failed (log: build/log/configure.log)").stderr)

    def test_build_error_shows_the_compilers_words_and_is_tried_again(self):
        (self.fake / "ninja-error").write_text("[1/2] Building\na.cpp:1:2: error: no such thing\nninja: stopped\n")
        result = self.fails_with("the build failed (log: build/log/build.log)")
        self.assertIn("a.cpp:1:2: error: no such thing", result.stderr)
        (self.fake / "ninja-error").unlink()
        self.assertEqual(0, self.launch().returncode)

    def test_build_folder_that_cannot_be_written(self):
        (self.root / "build").write_text("a file in its place\n")
        self.assertEqual(1, len(self.fails_with("cannot write").stderr.splitlines()))

    def test_build_folder_of_somebody_else(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder away")
        (self.root / "build" / "log").mkdir(parents=True)
        result = self.fails_with("cannot write", user=self.nobody())
        self.assertEqual(1, len(result.stderr.splitlines()), result.stderr)

    def test_full_disk(self):
        full = "a.cpp: fatal error: error writing: No space left on device\nninja: error: it stopped\n"
        (self.fake / "ninja-error").write_text(full)
        result = self.fails_with("the disk is full (log: build/log/build.log)")
        self.assertEqual("lockstep: the disk is full", result.stderr.splitlines()[-1][:26])
        self.assertNotIn("fatal error", result.stderr)
        (self.fake / "ninja-error").unlink()
        self.age_sources()
        (self.root / "build/ci/build.ninja").unlink()
        (self.fake / "cmake-error").write_text("CMake Error: No space left on device\n")
        self.fails_with("the disk is full (log: build/log/configure.log)")

    def test_an_interrupted_build_goes_on_with_the_next_launch(self):
        slow = self.fake / "slow"
        os.mkfifo(slow)
        command = [str(self.root / "lockstep"), "x"]
        first = subprocess.Popen(command, env=self.environment(), stderr=subprocess.DEVNULL, start_new_session=True)
        gate = slow.open("w")  # Returns when the build reads.
        os.killpg(first.pid, signal.SIGTERM)
        self.assertEqual(-signal.SIGTERM, first.wait())
        gate.close()
        slow.unlink()
        self.calls()
        self.assertEqual(0, self.launch("x").returncode)
        self.assertEqual(1, sum(call.startswith("ninja") for call in self.calls()))


class Concurrency(LauncherCase):
    def test_the_second_launch_waits_and_then_has_nothing_to_build(self):
        slow = self.fake / "slow"
        os.mkfifo(slow)
        command = [str(self.root / "lockstep"), "x"]
        options = {"env": self.environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        first = subprocess.Popen(command, **options)
        gate = slow.open("w")  # Returns when the first launch's build reads: it holds the lock now.
        second = subprocess.Popen(command, **options)
        self.assertIn("waiting", second.stderr.readline())
        gate.write("go\n")
        gate.close()
        self.assertIn("with <x>", first.communicate()[0])
        self.assertIn("with <x>", second.communicate()[0])
        self.assertEqual(["begin", "end"], (self.fake / "order").read_text().split())


if __name__ == "__main__":
    unittest.main()
