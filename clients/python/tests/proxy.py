"""A proxy to the exchange that loses answers, cuts connections and delays data: TCP, one thread per direction."""

import socket
import threading
from typing import Callable, List, Optional


class Proxy:
    """Forwards connections to `port`. `lose`: called with the bytes of each request (or other data on a connection):
    `True` forwards them, and cuts the connection when the answer arrives, so that the request is carried out without an
    answer.
    """

    def __init__(self, port: int, lose: Optional[Callable[[bytes], bool]] = None):
        self.lose = lose or (lambda data: False)
        self.refuses = False
        """Takes no connection."""
        self.lost = 0
        self._port = port
        self._pairs: List[socket.socket] = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        # A thread that waits in accept keeps the listener open, so it is woken up.
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Cuts all connections."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for each in pairs:
            _end(each)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self.refuses:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._port))
            except OSError:
                near.close()
                continue
            for each in (near, far):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._pairs += [near, far]
            state = {"loses": False}
            threading.Thread(target=self._pass, args=(near, far, state, True), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, state, False), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, state: dict, is_request: bool) -> None:
        try:
            while True:
                data = source.recv(65536)
                if not data:
                    break
                if is_request and self.lose(data):
                    state["loses"] = True
                elif not is_request and state["loses"]:
                    self.lost += 1
                    break
                target.sendall(data)
        except OSError:
            pass
        _end(source)
        _end(target)


def _end(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    connection.close()
