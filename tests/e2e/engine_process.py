"""A UCI engine as a child process, with time-outs on everything that is read."""
import queue
import subprocess
import threading
import time


class EngineProcess:
    def __init__(self, binary, *arguments, cwd=None):
        self.process = subprocess.Popen([str(binary), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, bufsize=1, cwd=cwd,
                                        encoding="utf-8", errors="replace")
        self.lines = queue.Queue()
        threading.Thread(target=self._read, args=(self.process.stdout, True), daemon=True).start()
        self.errors = []
        threading.Thread(target=self._read, args=(self.process.stderr, False), daemon=True).start()

    def _read(self, stream, is_output):
        for line in stream:
            if is_output:
                self.lines.put(line.rstrip("\n"))
            else:
                self.errors.append(line)
        if is_output:
            self.lines.put(None)

    def send(self, *lines):
        """All lines in one write, so that they arrive as a burst."""
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def read_until(self, prefix, timeout=20.0, count=1):
        """Lines up to and with the count-th that starts with `prefix`."""
        seen, deadline = [], time.monotonic() + timeout
        while count:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no '{prefix}' within {timeout} s; last lines: {seen[-5:]}, errors: {self.errors}")
            if line is None:
                raise AssertionError(f"the engine ended; last lines: {seen[-5:]}, errors: {self.errors}")
            seen.append(line)
            if line.startswith(prefix):
                count -= 1
        return seen

    def ready(self, timeout=60.0):
        self.send("isready")
        return self.read_until("readyok", timeout)

    def best_move(self, *commands, timeout=20.0):
        """Sends commands; returns (move, all lines) of the one bestmove that follows."""
        self.send(*commands)
        lines = self.read_until("bestmove", timeout)
        return lines[-1].split()[1], lines

    def quit(self, timeout=2.0):
        """Exit status after `quit`."""
        self.send("quit")
        return self.process.wait(timeout)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass
