"""Tests without an exchange: amounts, signatures, errors, secrets, the local book, the WebSocket, and that no operation of
the interface is missing.
"""

import inspect
import json
import logging
import os
import pickle
import random
import re
import socket
import struct
import threading
import traceback
import unittest
from decimal import Decimal

import bourse
from bourse import Bourse, LocalBook, UsageError, WebSocket, WebSocketClosed, amount_text

ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "..")
KEY = "4f1c0f3a9b2d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071829304a5b6c7"
SECRET = "9e107d9d372bb6826bd81d3542a419d6e4d909c290d0fb1ca068ffaddf22cbd0"
NOWHERE = "http://127.0.0.1:9"

# Retries are logged as warnings, which would be mixed with the tests' output.
logging.getLogger("bourse").setLevel(logging.ERROR)


def page(name):
    with open(os.path.join(ROOT, "docs", "reference", name), encoding="utf-8") as file:
        return file.read()


def described():
    with open(os.path.join(ROOT, "docs", "api", "openapi.json"), encoding="utf-8") as file:
        return json.load(file)


def operations(document):
    """Method, path, names of the parameters of each operation, without those that the client adds itself."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            names = {parameter["name"] for parameter in operation.get("parameters", []) if "name" in parameter}
            form = operation.get("requestBody", {}).get("content", {}).get("application/x-www-form-urlencoded", {})
            names |= set(form.get("schema", {}).get("properties", {}))
            yield method.upper(), path, names - {"timestamp", "recvWindow"}


class Amounts(unittest.TestCase):
    def test_exact_numbers_become_plain_text(self):
        self.assertEqual(amount_text(Decimal("0.10")), "0.10")
        self.assertEqual(amount_text(Decimal("1E-8")), "0.00000001")
        self.assertEqual(amount_text(Decimal("1E+3")), "1000")
        self.assertEqual(amount_text(12), "12")
        self.assertEqual(amount_text("60000.5"), "60000.5")

    def test_a_float_is_refused_with_both_readings(self):
        with self.assertRaises(UsageError) as refused:
            amount_text(0.1, "price")
        self.assertIn("price", str(refused.exception))
        self.assertIn('Decimal("0.1")', str(refused.exception))
        self.assertIn("0.1000000000000000055511151231257827", str(refused.exception))

    def test_what_is_no_amount_is_refused_by_its_name(self):
        for value in (True, None, "1e5", "-1", "+1", ".5", "5.", "", "1,5", "ten", Decimal("NaN"), Decimal("-1")):
            with self.subTest(value=value), self.assertRaisesRegex(UsageError, "quantity"):
                amount_text(value, "quantity")

    def test_a_float_leaves_no_method_however_it_is_named(self):
        exchange = Bourse(NOWHERE, KEY, SECRET)
        for call in (
            lambda: exchange.place_order("BTC/USDT", "BUY", "LIMIT", quantity=0.1, price="1"),
            lambda: exchange.place_oco("BTC/USDT", side="SELL", quantity="1", above_type="LIMIT_MAKER", above_price=1.5),
            lambda: exchange.amend_order(0.5, order_id="x"),
            lambda: exchange.batch([{"method": "POST", "symbol": "BTC/USDT", "price": 1.5}]),
            lambda: exchange.test_order("BTC/USDT", "BUY", "LIMIT", quantity="1", price=0.3),
        ):
            with self.assertRaisesRegex(UsageError, "float"):
                call()

    def test_amounts_in_answers_are_decimals(self):
        text = b'{"data":{"price":60000,"qty":0.1,"free":"12.50","fills":[{"total":"1e0"}],"limit":5,"page":1}}'
        data = bourse._decoded(bourse._read_json(text))["data"]
        self.assertEqual((data["price"], data["qty"], data["free"]), (Decimal(60000), Decimal("0.1"), Decimal("12.50")))
        self.assertEqual((data["limit"], data["page"]), (5, 1))
        self.assertNotIsInstance(data["fills"][0]["total"], str)

    def test_every_decimal_of_the_described_answers_is_known(self):
        def texts(schema, name=None):
            if isinstance(schema, dict):
                if name is not None and schema.get("type") in ("string", "number") and "ecimal" in json.dumps(schema):
                    yield name
                for key, value in schema.items():
                    if key == "properties":
                        for property_name, part in value.items():
                            yield from texts(part, property_name)
                    else:
                        yield from texts(value, name if key in ("anyOf", "oneOf", "allOf") else None)
            elif isinstance(schema, list):
                for part in schema:
                    yield from texts(part, name)

        found = set(texts(described()["components"]["schemas"])) - {"nearest"}
        self.assertGreater(len(found), 15)
        self.assertEqual(found - bourse._DECIMAL_FIELDS, set())


class Completeness(unittest.TestCase):
    def test_every_endpoint_has_a_method_with_all_of_its_parameters(self):
        known = {(endpoint.method, "/" + endpoint.path.lstrip("/")): endpoint for endpoint in bourse.ENDPOINTS.values()}
        wanted = {(method, path): names for method, path, names in operations(described())}
        self.assertEqual(set(wanted) - set(known), set(), "endpoints without a method")
        self.assertEqual(set(known) - set(wanted), set(), "methods without an endpoint")
        for place, names in wanted.items():
            self.assertEqual(set(known[place].parameters), names, place)

    def test_every_parameter_of_an_endpoint_can_be_given_to_its_method(self):
        for name, endpoint in bourse.ENDPOINTS.items():
            with self.subTest(name=name):
                sent = self.sent(name, endpoint)
                left_out = {"format"} if name == "account_ledger" else set()
                self.assertEqual(set(endpoint.parameters) - set(sent) - left_out, set())

    def sent(self, name, endpoint):
        """The request that the method sends if every parameter is given, without a network."""
        exchange = Bourse(NOWHERE, KEY, SECRET)
        requests = []

        def attempt(asked, fields, _window):
            requests.append(fields)
            body = b'{"data":{"fills":[],"orders":[],"serverTime":1},"total":"0","sell":{},"buy":{}}'
            if asked in ("klines", "batch", "open_orders", "active_orders", "trades"):
                body = b'{"data":[]}'
            return bourse._Response(200, {}, body), 0

        exchange._attempt = attempt
        exchange.clock.now = lambda: 0
        method = getattr(exchange, name)
        taken = inspect.signature(method).parameters
        given = {}
        for parameter in endpoint.parameters:
            python = re.sub(r"(?<!^)([A-Z])", lambda m: "_" + m[1].lower(), parameter)
            python = "from_" if python == "from" else python
            if python in taken or any(p.kind is p.VAR_KEYWORD for p in taken.values()):
                given[python] = 1 if python not in ("symbol", "side", "type") else "X"
        if name == "batch":
            given = {"operations": [{"method": "DELETE", "id": "x"}]}
        given.pop("test", None)
        method(**given)
        return requests[-1]

    def test_every_reason_of_the_reference_has_a_class(self):
        stated = set(re.findall(r"^\| `([A-Z_]+)` \| \d{4} \|", page("errors.md"), re.MULTILINE))
        self.assertGreater(len(stated), 90)
        self.assertEqual(stated - set(bourse.REASONS), set())
        self.assertEqual(set(bourse.REASONS) - stated, set())

    def test_every_name_that_is_exported_is_there(self):
        for name in bourse.__all__:
            self.assertTrue(hasattr(bourse, name), name)


class Signatures(unittest.TestCase):
    BODY = "symbol=BTC%2FUSDT&side=BUY&type=LIMIT&quantity=0.01&price=60000&timestamp=1767225600000"

    def test_the_worked_examples_of_the_reference_come_out(self):
        signer = bourse._Signer(SECRET)
        self.assertIn(signer.sign(self.BODY), page("authentication.md"))
        lines = ["POST", "/api/v3/order", "", "1767225600000", "3f2a9c1e7b5d4860a1f0c2e4d6b89753", self.BODY]
        self.assertIn("v2=" + signer.sign("\n".join(lines)), page("authentication.md"))
        login = f"login\napiKey={KEY}&timestamp=1767225600000&recvWindow=5000"
        self.assertIn(signer.sign(login), page("order-entry.md"))

    def test_a_request_is_signed_as_it_is_sent(self):
        exchange = Bourse(NOWHERE, KEY, SECRET)
        endpoint = bourse.ENDPOINTS["place_order"]
        method, target, body, headers = exchange._request(endpoint, {"symbol": "BTC/USDT"}, 1767225600000, 5000)
        self.assertEqual((method, target), ("POST", "/api/v3/order"))
        self.assertEqual(body, b"symbol=BTC%2FUSDT&timestamp=1767225600000&recvWindow=5000")
        self.assertEqual(headers["X-Signature"], bourse._Signer(SECRET).sign(body.decode()))

    def test_a_strict_signature_names_method_and_path_and_is_good_once(self):
        exchange = Bourse(NOWHERE + "/base", KEY, SECRET, strict=True)
        endpoint = bourse.ENDPOINTS["open_orders"]
        _, target, body, headers = exchange._request(endpoint, {}, 1767225600000, 5000)
        self.assertEqual(target, "/base/api/v3/openOrders?timestamp=1767225600000&recvWindow=5000")
        self.assertIsNone(body)
        query = target.partition("?")[2]
        text = "\n".join(["GET", "/base/api/v3/openOrders", query, "1767225600000", headers["X-Nonce"], ""])
        self.assertEqual(headers["X-Signature"], "v2=" + bourse._Signer(SECRET).sign(text))
        again = exchange._request(endpoint, {}, 1767225600000, 5000)[3]
        self.assertNotEqual(again["X-Nonce"], headers["X-Nonce"])

    def test_a_withdrawal_is_signed_strictly_by_any_client(self):
        exchange = Bourse(NOWHERE, KEY, SECRET)
        headers = exchange._request(bourse.ENDPOINTS["withdraw"], {"coin": "BTC"}, 1, 5000)[3]
        self.assertTrue(headers["X-Signature"].startswith("v2="))

    def test_market_data_is_not_signed(self):
        exchange = Bourse(NOWHERE, KEY, SECRET)
        headers = exchange._request(bourse.ENDPOINTS["depth"], {"symbol": "BTC/USDT"}, 1, 5000)[3]
        self.assertNotIn("X-Signature", headers)
        self.assertEqual(headers["X-Apikey"], KEY)

    def test_the_secret_shows_nowhere(self):
        exchange = Bourse(NOWHERE, KEY, SECRET, patience_s=0)
        shown = [repr(exchange), str(exchange), repr(exchange._signer), repr(vars(exchange)), repr(vars(exchange._signer))]
        try:
            exchange.open_orders()
        except bourse.BourseError as error:
            shown += [repr(error), "".join(traceback.format_exception(type(error), error, error.__traceback__))]
        with self.assertLogs("bourse", "DEBUG") as logged:
            bourse._log.debug("%r %r", exchange, exchange._signer)
        for text in [*shown, *logged.output]:
            self.assertNotIn(SECRET, text)
        self.assertNotIn(KEY, repr(exchange))
        with self.assertRaises(TypeError):
            pickle.dumps(exchange._signer)

    def test_what_is_wrong_with_a_client_is_said_when_it_is_made(self):
        for given, named in (
            ({"url": "ftp://x"}, "url"),
            ({"url": "http://user:word@x"}, "url"),
            ({"url": NOWHERE, "api_key": KEY}, "api_secret"),
            ({"url": NOWHERE, "recv_window": 60001}, "recv_window"),
            ({"url": NOWHERE, "order_attempts": 0}, "order_attempts"),
        ):
            with self.assertRaisesRegex(UsageError, named):
                Bourse(**given)
        with self.assertRaisesRegex(UsageError, "nonsense"):
            Bourse(NOWHERE, KEY, SECRET).test_order("BTC/USDT", "BUY", "LIMIT", nonsense=1)
        with self.assertRaisesRegex(UsageError, "needs a key"):
            Bourse(NOWHERE, patience_s=0)._request(bourse.ENDPOINTS["open_orders"], {}, 1, 1)


class Refusals(unittest.TestCase):
    def refusal(self, reason, **more):
        body = {"status": False, "code": "4001", "msg": ["No."], "reason": reason, **more}
        return bourse._refusal("POST /order", 400, body, None, "r1")

    def test_an_error_has_the_class_of_its_reason_and_all_that_was_said(self):
        refused = self.refusal("TOO_MANY_DECIMALS", nearest="1.23", parameter="price")
        self.assertIsInstance(refused, bourse.RequestError)
        self.assertEqual((refused.nearest, refused.parameter, refused.request_id), ("1.23", "price", "r1"))
        self.assertIn("1.23", str(refused))
        self.assertIsInstance(self.refusal("INSUFFICIENT_FUNDS"), bourse.InsufficientFundsError)

    def test_an_unknown_reason_goes_by_its_code(self):
        self.assertIs(type(self.refusal("NEW_REASON")), bourse.RefusedError)
        body = {"status": False, "code": "0014", "msg": [], "reason": "NEW_REASON"}
        self.assertIsInstance(bourse._refusal("x", 503, body, None, None), bourse.UnavailableError)


class Retries(unittest.TestCase):
    """Retries, with a simulated exchange."""

    def exchange(self, answers, **options):
        exchange = Bourse(NOWHERE, KEY, SECRET, **options)
        self.asked, self.slept = [], []
        exchange._sleep = self.slept.append
        exchange.clock.now = lambda: 1000

        def ask(method, target, body, headers):
            self.asked.append((method, target, body))
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            status, value, *more = answer
            return bourse._Response(status, more[0] if more else {}, json.dumps(value).encode())

        exchange._http.ask = ask
        return exchange

    @staticmethod
    def refused(reason, status=400, code="4001", headers=None, **more):
        return status, {"status": False, "code": code, "msg": ["."], "reason": reason, **more}, headers or {}

    PLACED = (200, {"data": {"id": "o1", "status": "NEW"}})

    def place(self, exchange, **more):
        return exchange.place_order("BTC/USDT", "BUY", "LIMIT", quantity="1", price="1", **more)

    def test_an_order_whose_answer_is_lost_is_asked_for_and_not_placed_twice(self):
        answers = [
            bourse._Lost("cut"),
            self.refused("UNKNOWN_CLIENT_ORDER_ID", isFinal=False),
            (200, {"data": {"id": "o1"}}),
        ]
        order = self.place(self.exchange(answers), new_client_order_id="mine")
        self.assertEqual(order["id"], "o1")
        methods = [method for method, _, _ in self.asked]
        self.assertEqual(methods, ["POST", "GET", "GET"])
        self.assertIn("origClientOrderId=mine&deadline=6000&firstAttempt=1000", self.asked[1][1])

    def test_the_answer_in_another_form_is_had_by_sending_the_same_order_again(self):
        found = (200, {"data": {"id": "o1"}})
        full = (200, {"data": {"id": "o1", "fills": []}})
        order = self.place(self.exchange([bourse._Lost("cut"), found, full]), new_order_resp_type="FULL")
        self.assertEqual(order["fills"], [])
        self.assertEqual(self.asked[0][2], self.asked[2][2])

    def test_no_refusal_of_a_repeat_looks_like_one_of_the_order_that_stands(self):
        found = (200, {"data": {"id": "o1"}})
        limited = self.refused("RATE_LIMITED", 429, "0014", {"retry-after": "0"})
        exchange = self.exchange([bourse._Lost("cut"), found, limited, self.PLACED], patience_s=0)
        self.assertEqual(self.place(exchange, new_order_resp_type="FULL")["id"], "o1")
        banned = self.refused("BANNED", 418, "0014", {"retry-after": "60"})
        with self.assertRaises(bourse.OutcomeUnknownError):
            self.place(self.exchange([bourse._Lost("cut"), found, banned]), new_order_resp_type="FULL")

    def test_an_order_is_sent_again_only_when_it_is_final_that_it_was_not_placed(self):
        final = self.refused("UNKNOWN_CLIENT_ORDER_ID", isFinal=True)
        self.place(self.exchange([bourse._Lost("cut"), final, self.PLACED]))
        self.assertEqual([method for method, _, _ in self.asked], ["POST", "GET", "POST"])
        with self.assertRaises(bourse.NotPlacedError) as raised:
            self.place(self.exchange([bourse._Lost("cut"), final], order_attempts=1), new_client_order_id="mine")
        self.assertEqual(raised.exception.client_order_id, "mine")

    def test_an_outcome_that_stays_unknown_is_an_error_of_its_own(self):
        exchange = self.exchange([bourse._Lost("cut")] + [self.refused("BANNED", 418, "0014", {"retry-after": "120"})])
        with self.assertRaises(bourse.OutcomeUnknownError) as raised:
            self.place(exchange, new_client_order_id="mine")
        error = raised.exception
        self.assertEqual((error.client_order_id, error.deadline, error.first_attempt), ("mine", 6000, 1000))

    def test_an_unknown_outcome_and_a_proxys_answer_count_as_lost(self):
        for answer in (self.refused("OUTCOME_UNKNOWN", 503, "0014"), (502, "<html>"), self.refused("INTERNAL_ERROR", 500, "0014")):
            self.place(self.exchange([answer, self.PLACED]))
            self.assertEqual([method for method, _, _ in self.asked], ["POST", "GET"])

    def test_a_limit_is_waited_for_as_long_as_it_says(self):
        limited = self.refused("RATE_LIMITED", 429, "0014", {"retry-after": "7"})
        self.exchange([limited, (200, {"data": []})]).open_orders()
        self.assertGreaterEqual(self.slept[0], 7)
        self.assertLess(self.slept[0], 7.5)

    def test_a_wait_beyond_patience_is_an_error_at_once_and_nothing_more_is_sent(self):
        limited = self.refused("RATE_LIMITED", 429, "0014", {"retry-after": "60"})
        exchange = self.exchange([limited])
        for _ in range(2):
            with self.assertRaises(bourse.RateLimitError) as raised:
                exchange.open_orders()
            self.assertGreaterEqual(raised.exception.retry_after, 59)
        self.assertEqual((len(self.asked), self.slept), (1, []))

    def test_a_ban_is_never_tried_against(self):
        exchange = self.exchange([self.refused("BANNED", 418, "0014", {"retry-after": "2"})])
        for _ in range(2):
            with self.assertRaises(bourse.BannedError):
                exchange.open_orders()
        self.assertEqual(len(self.asked), 1)

    def test_a_cancel_does_not_wait_for_the_limit_of_orders(self):
        limited = self.refused("ORDER_RATE_LIMITED", 429, "0014", {"retry-after": "60"})
        exchange = self.exchange([limited, (200, {})])
        with self.assertRaises(bourse.RateLimitError):
            self.place(exchange)
        exchange.cancel_order("o1")
        self.assertEqual(len(self.asked), 2)

    def test_a_cancel_whose_answer_was_lost_looks_at_the_order(self):
        unknown = self.refused("UNKNOWN_ORDER")
        self.exchange([bourse._Lost("cut"), unknown, (200, {"data": {"status": "CANCELED"}})]).cancel_order("o1")
        with self.assertRaises(bourse.OrderNotFoundError):
            self.exchange([bourse._Lost("cut"), unknown, (200, {"data": {"status": "FILLED"}})]).cancel_order("o1")
        with self.assertRaises(bourse.OrderNotFoundError):
            self.exchange([unknown]).cancel_order("o1")

    def test_a_clock_that_is_off_is_measured_again_and_the_error_says_how_far(self):
        ahead = self.refused("TIMESTAMP_AHEAD", 401)
        exchange = self.exchange([ahead, *[(200, {"data": {"serverTime": 5}})] * 3, (200, {"data": []})])
        self.assertEqual(exchange.open_orders(), [])
        exchange = self.exchange([ahead, *[(200, {"data": {"serverTime": 5}})] * 3, ahead])
        with self.assertRaises(bourse.ClockError) as raised:
            exchange.open_orders()
        self.assertLess(raised.exception.skew_ms, -1_000_000)
        self.assertIn("ahead of this machine's", str(raised.exception))

    def test_a_cancel_that_the_stream_refuses_for_the_clock_goes_over_http_where_the_clock_is_measured(self):
        expired = self.refused("TIMESTAMP_EXPIRED", 401)
        time_of_exchange = (200, {"data": {"serverTime": 5}})
        exchange = self.exchange([expired, *[time_of_exchange] * 3, (200, {"data": {"canceled": 1}})])
        stream = bourse.Stream.__new__(bourse.Stream)
        stream._client = exchange

        def ask(name, fields, recv_window):
            raise bourse._refusal(name, 401, expired[1], None, None)

        stream._ask = ask
        self.assertEqual(stream.cancel_all("BTC/USDT"), {"canceled": 1})
        self.assertEqual([method for method, _, _ in self.asked], ["DELETE", "GET", "GET", "GET", "DELETE"])

    def test_a_closed_market_and_a_refusal_are_not_tried_again(self):
        for reason, kind in (("SYMBOL_HALTED", bourse.MarketClosedError), ("INSUFFICIENT_FUNDS", bourse.InsufficientFundsError)):
            with self.assertRaises(kind):
                self.place(self.exchange([self.refused(reason, 503, "0014")]))
            self.assertEqual(len(self.asked), 1)

    def test_an_address_that_is_no_exchange_is_named_at_once(self):
        with self.assertRaisesRegex(bourse.ConnectionFailedError, "look at url"):
            self.exchange([(404, "<html>")]).ping()


class Books(unittest.TestCase):
    SNAPSHOT = {
        "seq": 1,
        "bids": [["59990.00", "0.75000000"], ["59980.00", "0.01000000"]],
        "asks": [["60000.50", "0.50000000"], ["60100.00", "1.00000000"]],
        "checksum": 2814396049,
    }

    def test_the_example_of_the_reference_comes_out(self):
        book = LocalBook("BTC/USDT")
        self.assertTrue(book.apply(self.SNAPSHOT))
        change = {"seq": 2, "prevSeq": 1, "bids": [["60000.50", "0.20000000"]], "asks": [["60000.50", "0.00000000"]]}
        self.assertTrue(book.apply(change))
        self.assertEqual(book.bids(1), [(Decimal("60000.50"), Decimal("0.20000000"))])
        self.assertEqual(book.asks(), [(Decimal("60100.00"), Decimal("1.00000000"))])

    def test_a_gap_and_a_wrong_checksum_end_a_book_until_the_whole_comes(self):
        for broken in ({"seq": 9, "prevSeq": 8, "bids": [], "asks": []}, {"seq": 2, "prevSeq": 1, "bids": [], "asks": [], "checksum": 1}):
            book = LocalBook("BTC/USDT")
            book.apply(self.SNAPSHOT)
            self.assertFalse(book.apply(broken))
            self.assertFalse(book.is_live)
            self.assertTrue(book.apply({"seq": 10, "prevSeq": 9, "bids": [], "asks": []}))
            self.assertFalse(book.is_live)
            self.assertTrue(book.apply(self.SNAPSHOT))
            self.assertEqual((book.is_live, book.repairs), (True, 1))

    def test_any_changes_leave_what_a_plain_table_has(self):
        seed = random.randrange(2**32)
        rng = random.Random(seed)
        book, table = LocalBook("X/Y"), {"bids": {}, "asks": {}}
        book.apply({"seq": 0, "bids": [], "asks": []})
        for seq in range(1, 400):
            changes = {"bids": [], "asks": []}
            for side in changes:
                for _ in range(rng.randrange(4)):
                    price = f"{rng.randrange(1, 30)}.{rng.randrange(10)}"
                    quantity = f"{rng.choice([0, 0, 1, 12])}.000"
                    changes[side].append([price, quantity])
                    table[side].pop(Decimal(price), None)
                    if Decimal(quantity):
                        table[side][Decimal(price)] = Decimal(quantity)
            self.assertTrue(book.apply({"seq": seq, "prevSeq": seq - 1, **changes}))
        self.assertEqual(book.bids(), sorted(table["bids"].items(), reverse=True), f"seed {seed}")
        self.assertEqual(book.asks(), sorted(table["asks"].items()), f"seed {seed}")


class WebSockets(unittest.TestCase):
    """The client's end against a peer that writes bytes."""

    ACCEPT = {"dGhlIHNhbXBsZSBub25jZQ==": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="}

    def connect(self, script, answer=None):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        self.received = []

        def serve():
            peer, _ = listener.accept()
            with peer:
                head = b""
                while b"\r\n\r\n" not in head:
                    head += peer.recv(4096)
                key = re.search(rb"Sec-WebSocket-Key: (\S+)", head)[1]
                accept = bourse.base64.b64encode(bourse.hashlib.sha1(key + WebSocket._GUID.encode()).digest())
                peer.sendall(
                    answer
                    or b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
                )
                script(peer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        self.addCleanup(thread.join, 10)
        http = bourse._Http(f"http://127.0.0.1:{listener.getsockname()[1]}", 10, None)
        connection = WebSocket(http, "/ws")
        self.addCleanup(connection._drop)
        return connection

    @staticmethod
    def frame(first, payload):
        size = len(payload)
        if size < 126:
            return bytes([first, size]) + payload
        if size < 65536:
            return struct.pack(">BBH", first, 126, size) + payload
        return struct.pack(">BBQ", first, 127, size) + payload

    def unmasked(self, peer):
        """Opcode and payload of the client's next frame, which must be masked."""
        head = peer.recv(2, socket.MSG_WAITALL)
        self.assertTrue(head[1] & 0x80)
        size = head[1] & 0x7F
        if size == 126:
            size = struct.unpack(">H", peer.recv(2, socket.MSG_WAITALL))[0]
        mask = peer.recv(4, socket.MSG_WAITALL)
        body = peer.recv(size, socket.MSG_WAITALL) if size else b""
        return head[0], bytes(byte ^ mask[i % 4] for i, byte in enumerate(body))

    def test_messages_of_every_size_come_whole(self):
        sizes = [0, 1, 125, 126, 65535, 65536, 300_000]
        connection = self.connect(lambda peer: [peer.sendall(self.frame(0x81, b"x" * size)) for size in sizes])
        for size in sizes:
            self.assertEqual(connection.receive(10), "x" * size)

    def test_fragments_are_put_together_and_pings_in_between_answered(self):
        seen = []

        def script(peer):
            peer.sendall(self.frame(0x01, "ab\u20ac".encode()[:3]) + self.frame(0x89, b"p"))
            seen.append(self.unmasked(peer))
            peer.sendall(self.frame(0x80, "ab\u20ac".encode()[3:]))

        self.assertEqual(self.connect(script).receive(10), "ab\u20ac")
        self.assertEqual(seen, [(0x8A, b"p")])

    def test_what_is_sent_is_masked_and_arrives(self):
        done = threading.Event()
        texts = ["", "abc", "\u20ac" * 100]

        def script(peer):
            self.received = [self.unmasked(peer) for _ in texts]
            done.set()

        connection = self.connect(script)
        for text in texts:
            connection.send(text)
        self.assertTrue(done.wait(10))
        self.assertEqual([body.decode() for _, body in self.received], texts)

    def test_what_the_protocol_forbids_ends_the_connection(self):
        for data, code in (
            (b"\xc1\x00", 1002),  # a reserved bit
            (b"\x81\x80\0\0\0\0", 1002),  # masked
            (b"\x09\x00", 1002),  # a ping in fragments
            (b"\x80\x00", 1002),  # a continuation without a beginning
            (b"\x82\x00", 1003),  # binary
            (self.frame(0x81, b"\xff"), 1007),
            (struct.pack(">BBQ", 0x81, 127, 2**40), 1009),
            (self.frame(0x88, struct.pack(">H", 1001) + b"bye"), 1001),
            (b"", 1006),
        ):
            with self.subTest(data=data), self.assertRaises(WebSocketClosed) as closed:
                self.connect(lambda peer, data=data: peer.sendall(data)).receive(10)
            self.assertEqual(closed.exception.code, code)

    def test_a_handshake_that_does_not_fit_is_refused(self):
        for answer in (
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: no\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
            b"nonsense\r\n\r\n",
        ):
            with self.subTest(answer=answer), self.assertRaises(WebSocketClosed):
                self.connect(lambda peer: None, answer)

    def test_the_exchanges_refusal_of_a_connection_keeps_its_reason(self):
        body = b'{"status":false,"code":"0014","msg":["."],"reason":"TOO_MANY_CONNECTIONS"}'
        answer = b"HTTP/1.1 429 No\r\nRetry-After: 3\r\nContent-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body
        with self.assertRaises(bourse.RateLimitError) as raised:
            self.connect(lambda peer: None, answer)
        self.assertEqual((raised.exception.reason, raised.exception.retry_after), ("TOO_MANY_CONNECTIONS", 3))


if __name__ == "__main__":
    unittest.main()
