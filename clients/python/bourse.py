"""Client of a Bourse exchange: one file, standard library only, Python 3.9 or newer.

    from bourse import Bourse

    exchange = Bourse("http://127.0.0.1:8080", api_key="...", api_secret="...")
    order = exchange.place_order("BTC/USDT", "BUY", "LIMIT", quantity="0.01", price="60000")
    print(order["id"], order["status"])

Every endpoint is a method, and every parameter has the name of the reference in Python's spelling (`newClientOrderId`
is `new_client_order_id`). Answers are dictionaries with the reference's own names, amounts in them are `Decimal`.

- Amounts are `Decimal`, `int` or text. A `float` is refused: it is not the number that was written.
- Every order has a client order id. After a lost answer the order is queried by it, so no order is placed twice.
- Errors are classes, chosen by the exchange's `reason`: see `RefusedError`.
- Times are milliseconds since 1970, by the exchange's clock, which the client measures: see `Clock`.
- `Bourse.stream()` follows the market and the account, and places orders over one connection: see `Stream`.

The pages: docs/python.md for this file, docs/reference/ for the interface.
"""

from __future__ import annotations

import base64
import bisect
import hashlib
import hmac
import http.client
import json
import logging
import os
import random
import re
import secrets
import selectors
import socket
import ssl
import struct
import threading
import time
import urllib.parse
import zlib
from collections import deque
from decimal import Decimal
from typing import (
    Any,
    Callable,
    Deque,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypedDict,
    Union,
    cast,
)

__version__ = "0.1.0"

__all__ = [
    "Account",
    "AuthenticationError",
    "BannedError",
    "Bourse",
    "BourseError",
    "Clock",
    "ClockError",
    "ConnectionFailedError",
    "DuplicateOrderError",
    "Event",
    "InsufficientFundsError",
    "LocalBook",
    "MarketClosedError",
    "NotPlacedError",
    "OrderNotFoundError",
    "OrderRefusedError",
    "OutcomeUnknownError",
    "PartlyReplacedError",
    "RateLimitError",
    "RefusedError",
    "RequestError",
    "Stream",
    "UnavailableError",
    "UsageError",
    "WithdrawalRefusedError",
    "WouldTakeError",
]

Json = Dict[str, Any]
Amount = Union[Decimal, int, str]
"""An exact number. Never a float."""

_log = logging.getLogger("bourse")


class Order(TypedDict, total=False):
    """An order, in every answer that contains one: docs/reference/orders.md#the-order-object. Inapplicable fields are
    absent.
    """

    id: str
    clientOrderId: str
    listId: str
    symbol: str
    side: str
    type: str
    timeInForce: str
    price: Decimal
    stopPrice: Decimal
    trailingDelta: int
    quantity: Decimal
    visibleQuantity: Decimal
    total: Decimal
    executedQuantity: Decimal
    executedTotal: Decimal
    averagePrice: Decimal
    commission: Decimal
    commissionAsset: str
    preventedQuantity: Decimal
    status: str
    endReason: str
    isWorking: bool
    selfTradePreventionMode: str
    expireTime: int
    triggeredAt: int
    trailingTime: int
    createdAt: int
    updatedAt: int
    fills: List[Json]
    hasMoreFills: bool


class Fill(TypedDict, total=False):
    """One side of a trade: docs/reference/orders.md#fills."""

    id: str
    number: int
    orderId: str
    symbol: str
    side: str
    price: Decimal
    quantity: Decimal
    total: Decimal
    commission: Decimal
    commissionAsset: str
    isMaker: bool
    time: int


class Balance(TypedDict):
    """The balance of an account in one asset: docs/reference/private-feed.md#messages."""

    asset: str
    free: Decimal
    locked: Decimal
    freeze: Decimal
    savings: Decimal


# --- Errors -----------------------------------------------------------------------------------------------------------


class BourseError(Exception):
    """Base class of all errors of this client. No error contains the secret or a signature."""


class UsageError(BourseError, ValueError):
    """Nothing was sent, because an argument is invalid."""


class ConnectionFailedError(BourseError):
    """There was no answer, and nothing was changed: nothing was sent, or the request only reads."""


class OutcomeUnknownError(BourseError):
    """The request may have been carried out, and its outcome could not be queried in time.

    For orders: query later, with `Bourse.order_outcome(error.client_order_id, error.deadline, error.first_attempt)`.
    """

    def __init__(self, text: str, client_order_id: Optional[str], deadline: Optional[int], first_attempt: Optional[int]):
        super().__init__(text)
        self.client_order_id = client_order_id
        """Of the order, or of the list."""
        self.deadline = deadline
        """The latest time at which it may have taken effect, in the exchange's milliseconds."""
        self.first_attempt = first_attempt
        """When it was sent first, in the exchange's milliseconds."""


class NotPlacedError(BourseError):
    """The order's answer was lost, and the exchange confirms that the order was not placed and never will be."""

    def __init__(self, text: str, client_order_id: str):
        super().__init__(text)
        self.client_order_id = client_order_id


class RefusedError(BourseError):
    """The exchange answered with an error (docs/reference/errors.md). Its subclass depends on `reason`."""

    def __init__(self, asked: str, status: int, body: Json, retry_after: Optional[int], request_id: Optional[str]):
        self.status = status
        """HTTP's status."""
        self.code: str = str(body.get("code", ""))
        self.reason: str = str(body.get("reason", ""))
        """The stable word of the catalogue: compare this one."""
        self.messages: List[str] = [str(text) for text in body.get("msg", [])]
        self.nearest: Optional[str] = body.get("nearest")
        """The nearest value of `parameter` that would have passed, as a text to be sent."""
        self.parameter: Optional[str] = body.get("parameter")
        self.is_final: Optional[bool] = body.get("isFinal")
        """Of an order that is unknown: it never will be placed."""
        self.data: Any = _decoded(body.get("data"))
        self.retry_after = retry_after
        """Seconds to wait, where the exchange says so."""
        self.request_id = request_id
        """Quote it when you ask the operator."""
        hint = "" if self.nearest is None else f" (the nearest {self.parameter} that would pass: {self.nearest})"
        super().__init__(f"{asked}: {status} {self.reason or self.code}: {' '.join(self.messages)}{hint}")


class AuthenticationError(RefusedError):
    """The key, the signature, the address or the permission is invalid."""


class ClockError(RefusedError):
    """The request's time was outside its window, by the exchange's clock, even after the clock was measured again."""

    skew_ms: Optional[int] = None
    """The measured difference by which the exchange's clock is ahead of this machine's."""


class RequestError(RefusedError):
    """The request is malformed."""


class OrderRefusedError(RefusedError):
    """The rules of the exchange refuse the order. Nothing has changed."""


class InsufficientFundsError(OrderRefusedError):
    """The free balance does not suffice."""


class OrderNotFoundError(OrderRefusedError):
    """No such order or list is open, or was ever placed."""


class DuplicateOrderError(OrderRefusedError):
    """The client order id belongs to another order."""


class WouldTakeError(OrderRefusedError):
    """A LIMIT_MAKER order would have matched an order of the other side."""


class PartlyReplacedError(OrderRefusedError):
    """One half of a replacement was done; `data` shows which."""


class WithdrawalRefusedError(RefusedError):
    """The rules of withdrawals refuse the request. No money has moved."""


class MarketClosedError(RefusedError):
    """The symbol, its assets or the exchange accept no orders now. Cancels work, except in a closed exchange."""


class UnavailableError(RefusedError):
    """The service is temporarily unable to carry out the request; it was not carried out."""


class RateLimitError(RefusedError):
    """A limit is exhausted; wait `retry_after` seconds. Nothing was done."""


class BannedError(RateLimitError):
    """The address is banned for `retry_after` seconds."""


_CLASSES: Dict[Type[RefusedError], str] = {
    AuthenticationError: """
        MISSING_API_KEY INVALID_API_KEY KEY_DISABLED KEY_EXPIRED ACCOUNT_LOCKED ADDRESS_NOT_ALLOWED PERMISSION_DENIED
        MISSING_SIGNATURE INVALID_SIGNATURE INVALID_HEADER STRICT_SIGNATURE_REQUIRED NONCE_REQUIRED TIMESTAMP_MISMATCH
        NONCE_REPEATED LOGIN_REQUIRED ALREADY_LOGGED_IN SECRET_REPLACED SESSION_TAKEN_OVER WAF""",
    ClockError: "TIMESTAMP_AHEAD TIMESTAMP_EXPIRED DEADLINE_OVER",
    RequestError: """
        NOT_FOUND METHOD_NOT_ALLOWED BODY_TOO_LARGE INVALID_HOST DUPLICATE_HEADER HEADERS_TOO_LARGE BODY_TIMEOUT
        UNSUPPORTED_CONTENT_TYPE UNREADABLE_BODY SEPARATOR_REQUIRED CONTROL_CHARACTER UNREADABLE_QUERY
        TOO_MANY_PARAMETERS MISSING_PARAMETER DUPLICATE_PARAMETER INVALID_PARAMETER TOO_MANY_DECIMALS VALUE_TOO_LARGE
        UNSUPPORTED_PARAMETER UNSUPPORTED_VALUE MISSPELLED_PARAMETER PRICE_NOT_ALLOWED PARAMETER_NOT_TAKEN
        UNKNOWN_SYMBOL UNKNOWN_ASSET INVALID_COMMAND UNREADABLE_MESSAGE UNKNOWN_MESSAGE NOT_SUBSCRIBED
        MESSAGE_TOO_LARGE UNKNOWN_JOURNAL SINCE_TOO_OLD UNKNOWN_SESSION RULES_VERSION_TOO_LOW EXPECTATION_FAILED
        UNSUPPORTED_CONTENT_ENCODING""",
    InsufficientFundsError: "INSUFFICIENT_FUNDS",
    OrderNotFoundError: "UNKNOWN_ORDER UNKNOWN_CLIENT_ORDER_ID UNKNOWN_ORDER_LIST",
    DuplicateOrderError: "DUPLICATE_CLIENT_ORDER_ID",
    WouldTakeError: "LIMIT_MAKER_WOULD_TAKE",
    PartlyReplacedError: "CANCEL_REPLACE_PARTLY_DONE",
    OrderRefusedError: """
        PRICE_OUT_OF_BAND ACCOUNT_RESTRICTED ACCOUNT_CLOSED UNKNOWN_ACCOUNT QUANTITY_TOO_SMALL PRICE_NOT_ON_TICK
        QUANTITY_NOT_ON_STEP TOTAL_TOO_SMALL TOTAL_MISMATCH TOO_MANY_OPEN_ORDERS TOO_MANY_PRICE_LEVELS NO_LIQUIDITY
        TOTAL_BELOW_BEST_PRICE SELF_TRADE_PREVENTED EXPIRE_TIME_PASSED EXPIRE_TIME_TOO_FAR FOK_NOT_FILLABLE
        STOP_PRICE_REACHED ICEBERG_QUANTITY_TOO_SMALL ICEBERG_QUANTITY_TOO_LARGE LIST_PRICES_CROSSED ORDER_NOT_AMENDABLE
        AMENDED_QUANTITY_TOO_LARGE AMENDED_QUANTITY_TOO_SMALL AMENDED_QUANTITY_TOO_PRECISE CANCEL_RESTRICTED
        TOO_MANY_CLIENT_ORDER_IDS TOO_MANY_MASS_CANCELS TOO_MANY_COUNTDOWNS TOO_MANY_SESSIONS""",
    WithdrawalRefusedError: """
        ASSET_NOT_WITHDRAWABLE WITHDRAWAL_TOO_SMALL WITHDRAWAL_TOO_LARGE UNKNOWN_WITHDRAWAL_ADDRESS
        WITHDRAWAL_ADDRESS_TOO_NEW TOO_MANY_WITHDRAWAL_ADDRESSES TOO_MANY_WITHDRAWALS DUPLICATE_WITHDRAW_ORDER_ID
        UNKNOWN_WITHDRAWAL WITHDRAWAL_FINISHED WITHDRAWAL_CLAIMED""",
    MarketClosedError: """
        SYMBOL_HALTED SYMBOL_CANCEL_ONLY EXCHANGE_CANCEL_ONLY EXCHANGE_CLOSED SYMBOL_DELISTED ASSET_NOT_TRADABLE""",
    UnavailableError: """
        STARTING STOPPING OVERLOADED STORAGE_FULL ENGINE_DOWN NO_LEADER CLOCK_NOT_TRUSTED NONCES_FULL NONCES_UNKNOWN
        SESSION_KEYS_UNKNOWN ANSWERS_UNDER_WAY OUTCOME_UNKNOWN INTERNAL_ERROR""",
    RateLimitError: """
        RATE_LIMITED ORDER_RATE_LIMITED REQUESTS_UNDER_WAY FLOODING TOO_MANY_CONNECTIONS TOO_MANY_ROOMS
        TOO_MANY_SUBSCRIPTIONS TOO_SLOW""",
    BannedError: "BANNED",
}

REASONS: Dict[str, Type[RefusedError]] = {
    reason: kind for kind, words in _CLASSES.items() for reason in words.split()
}
"""The class of each reason of the catalogue. A missing one is a `RefusedError`, or an `UnavailableError` with code 0014."""

_PASSING = frozenset(
    """STARTING STOPPING OVERLOADED STORAGE_FULL ENGINE_DOWN NO_LEADER CLOCK_NOT_TRUSTED NONCES_FULL NONCES_UNKNOWN
    SESSION_KEYS_UNKNOWN ANSWERS_UNDER_WAY""".split()
)
"""Certainly not carried out, and worth another attempt."""

_UNKNOWN_OUTCOME = frozenset(["OUTCOME_UNKNOWN", "INTERNAL_ERROR"])


def _refusal(asked: str, status: int, body: Json, retry_after: Optional[int], request_id: Optional[str]) -> RefusedError:
    kind = REASONS.get(str(body.get("reason", "")))
    if kind is None:
        kind = UnavailableError if body.get("code") == "0014" else RefusedError
    return kind(asked, status, body, retry_after, request_id)


class _NotSent(Exception):
    """Nothing of the request was sent: any request may be sent again."""


class _Lost(Exception):
    """The request was sent and no answer shows its outcome. After `deadline` it takes no effect."""

    def __init__(self, text: str, deadline: Optional[int] = None):
        super().__init__(text)
        self.deadline = deadline


# --- Numbers ----------------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[0-9]+(\.[0-9]+)?\Z")

_DECIMAL_FIELDS = frozenset(
    """price stopPrice quantity visibleQuantity total executedQuantity executedTotal averagePrice commission
    preventedQuantity qty execQty free locked freeze savings freeTransfer freezeTransfer lockedTransfer savingsTransfer
    amount balance hold maker taker bidPrice bidQty askPrice askQty priceChange priceChangePercent weightedAvgPrice
    prevClosePrice lastPrice lastQty openPrice highPrice lowPrice volume quoteVolume minPrice maxPrice tickSize minQty
    maxQty stepSize minNotional maxNotional""".split()
)
"""Members of answers that are amounts, prices or rates, at any depth."""


def amount_text(value: Amount, name: str = "amount") -> str:
    """The plain decimal text of an exact number. Raises `UsageError` for a float, for text that is not a number, and for a
    negative number.
    """
    if isinstance(value, float):
        raise UsageError(
            f"{name}: the float {value!r} is not exact. It is {Decimal(value)} in memory; "
            f'write Decimal("{value!r}") if you mean that, or give the exact digits as text'
        )
    if isinstance(value, bool) or not isinstance(value, (Decimal, int, str)):
        raise UsageError(f"{name}: expected a Decimal, an int or a text of digits, found {type(value).__name__}")
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise UsageError(f"{name}: expected a finite number, found {value}")
        text = format(value, "f")
    else:
        text = str(value)
    if not _PLAIN.match(text):
        raise UsageError(f"{name}: expected digits with an optional point, like 12.5, found {text!r}")
    return text


def _decoded(value: Any) -> Any:
    """The same JSON with `Decimal` for amounts."""
    if isinstance(value, list):
        return [_decoded(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: Decimal(item)
        if name in _DECIMAL_FIELDS and isinstance(item, (str, int)) and not isinstance(item, bool)
        else _decoded(item)
        for name, item in value.items()
    }


def _read_json(text: Union[str, bytes]) -> Any:
    return json.loads(text, parse_float=Decimal)


def _field(name: str, value: Any) -> str:
    """One parameter in the form in which it is sent."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not _IS_AMOUNT.search(name):
        return value
    return amount_text(value, name)


_IS_AMOUNT = re.compile(r"((^|[a-z])([pP]rice|[qQ]uantity|[tT]otal|Qty)|^amount)\Z")


def _fields(**values: Any) -> Dict[str, str]:
    """Parameters under the interface's names; `None` is left out, and `from_` becomes `from`."""
    return {name.rstrip("_"): _field(name, value) for name, value in values.items() if value is not None}




# --- Endpoints --------------------------------------------------------------------------------------------------------

_NEW_ORDER = """symbol side type quantity price total stopPrice trailingDelta icebergQty timeInForce expireTime
    selfTradePreventionMode newOrderRespType newClientOrderId"""
_NEW_LIST = "symbol listClientOrderId selfTradePreventionMode newOrderRespType"
_WORKING = """workingSide workingType workingPrice workingQuantity workingTimeInForce workingClientOrderId
    pendingSide pendingQuantity"""
_PAGE = "from to limit before"


def _leg(prefix: str, words: str = "Type Price StopPrice TrailingDelta TimeInForce ClientOrderId") -> str:
    return " ".join(prefix + word for word in words.split())


class Endpoint(NamedTuple):
    """One endpoint of the interface, and the method that calls it."""

    method: str
    path: str
    security: str
    """NONE; USER_DATA: a key; KEY, READ, TRADE, WALLET, WITHDRAW: a key and a signature."""
    parameters: Tuple[str, ...]
    """Without `timestamp` and `recvWindow`, which the client sends."""


def _endpoint(method: str, path: str, security: str, parameters: str = "") -> Endpoint:
    return Endpoint(method, path, security, tuple(parameters.split()))


ENDPOINTS: Dict[str, Endpoint] = {
    "ping": _endpoint("GET", "/ping", "NONE"),
    "time": _endpoint("GET", "/time", "NONE"),
    "exchange_info": _endpoint("GET", "/exchangeInfo", "NONE"),
    "rules": _endpoint("GET", "/exchangeInfo/rules", "NONE", "symbol"),
    "depth": _endpoint("GET", "/depth", "USER_DATA", "symbol limit"),
    "trades": _endpoint("GET", "/trades", "USER_DATA", "symbol limit"),
    "historical_trades": _endpoint("GET", "/historicalTrades", "NONE", "symbol fromId startTime endTime limit"),
    "agg_trades": _endpoint("GET", "/aggTrades", "NONE", "symbol fromId startTime endTime limit"),
    "klines": _endpoint("GET", "/klines", "NONE", "symbol interval startTime endTime limit"),
    "ticker_price": _endpoint("GET", "/ticker/price", "NONE", "symbol"),
    "ticker_24hr": _endpoint("GET", "/ticker/24hr", "NONE", "symbol"),
    "book_ticker": _endpoint("GET", "/ticker/bookTicker", "NONE", "symbol"),
    "place_order": _endpoint("POST", "/order", "TRADE", _NEW_ORDER),
    "test_order": _endpoint("POST", "/order/test", "TRADE", _NEW_ORDER + " test"),
    "cancel_order": _endpoint("DELETE", "/order", "TRADE", "id cancelOrigClientOrderId symbol newOrderRespType"),
    "order": _endpoint("GET", "/order", "READ", "symbol orderId origClientOrderId deadline firstAttempt"),
    "amend_order": _endpoint("PUT", "/order/amend/keepPriority", "TRADE", "orderId origClientOrderId newQty"),
    "cancel_replace": _endpoint(
        "POST",
        "/order/cancelReplace",
        "TRADE",
        _NEW_ORDER + " cancelReplaceMode cancelId cancelOrigClientOrderId cancelRestrictions",
    ),
    "batch": _endpoint("POST", "/order/batch", "TRADE", "operations"),
    "active_orders": _endpoint("GET", "/order/active", "TRADE", "symbol"),
    "open_orders": _endpoint("GET", "/openOrders", "READ", "symbol"),
    "cancel_all": _endpoint("DELETE", "/openOrders", "TRADE", "scope symbol"),
    "countdown_cancel_all": _endpoint("POST", "/countdownCancelAll", "TRADE", "symbol countdownTime keepStops"),
    "trade_history": _endpoint("GET", "/order/trade/history", "TRADE", "symbol page size before"),
    "all_orders": _endpoint("GET", "/allOrders", "READ", "symbol " + _PAGE),
    "my_trades": _endpoint("GET", "/myTrades", "READ", "symbol orderId " + _PAGE),
    "account_ledger": _endpoint("GET", "/account/ledger", "WALLET", "asset format " + _PAGE),
    "account_commission": _endpoint("GET", "/account/commission", "READ", "symbol"),
    "account_limits": _endpoint("GET", "/account/limits", "READ", "symbol"),
    "account_positions": _endpoint("GET", "/account/positions", "WALLET", "asset symbol"),
    "wallet_balance": _endpoint("GET", "/wallet/balance", "WALLET", "code"),
    "place_oco": _endpoint(
        "POST",
        "/orderList/oco",
        "TRADE",
        f"{_NEW_LIST} side quantity {_leg('above')} aboveTotal {_leg('below')} belowTotal",
    ),
    "place_oto": _endpoint("POST", "/orderList/oto", "TRADE", f"{_NEW_LIST} {_WORKING} {_leg('pending')}"),
    "place_otoco": _endpoint(
        "POST", "/orderList/otoco", "TRADE", f"{_NEW_LIST} {_WORKING} {_leg('pendingAbove')} {_leg('pendingBelow')}"
    ),
    "order_list": _endpoint("GET", "/orderList", "READ", "listId listClientOrderId deadline firstAttempt"),
    "cancel_order_list": _endpoint("DELETE", "/orderList", "TRADE", "cancelListId cancelListClientOrderId"),
    "withdraw": _endpoint(
        "POST", "/capital/withdraw/apply", "WITHDRAW", "coin amount address addressTag withdrawOrderId"
    ),
    "cancel_withdrawal": _endpoint(
        "DELETE", "/capital/withdraw/apply", "WITHDRAW", "cancelWithdrawId cancelWithdrawOrderId"
    ),
    "withdrawal_history": _endpoint("GET", "/capital/withdraw/history", "WALLET", "coin before limit"),
    "deposit_history": _endpoint("GET", "/capital/deposit/hisrec", "WALLET", "coin before limit"),
    "withdrawal_addresses": _endpoint("GET", "/capital/withdraw/address/list", "WALLET", "coin"),
    "add_withdrawal_address": _endpoint(
        "POST", "/capital/withdraw/address", "WITHDRAW", "coin newAddress addressTag label"
    ),
    "remove_withdrawal_address": _endpoint(
        "DELETE", "/capital/withdraw/address", "WITHDRAW", "coin removeAddress addressTag"
    ),
    "signature_check": _endpoint("POST", "/signature/check", "KEY"),
}
"""All endpoints by the names of their methods."""

_SIGNED = ("READ", "TRADE", "WALLET", "WITHDRAW", "KEY")


# --- Signing, clock, HTTP ---------------------------------------------------------------------------------------------


def _hmac_of(secret: str) -> Callable[[bytes], bytes]:
    keyed = hmac.new(secret.encode(), digestmod=hashlib.sha256)

    def sign(message: bytes) -> bytes:
        state = keyed.copy()
        state.update(message)
        return state.digest()

    return sign


class _Signer:
    """Signs texts. Stores the state of the hash, not the secret, and displays neither; for a pair, its signing function."""

    def __init__(self, secret: Union[str, Callable[[bytes], bytes]]):
        self.is_pair = not isinstance(secret, str)
        self.__sign = secret if not isinstance(secret, str) else _hmac_of(secret)

    def sign(self, text: str) -> str:
        """64 hexadecimal digits; for a pair 88 characters of base64."""
        signature = self.__sign(text.encode())
        return base64.b64encode(signature).decode() if self.is_pair else signature.hex()

    def __repr__(self) -> str:
        return "<signer>"

    def __reduce__(self) -> Any:
        raise TypeError("a signer cannot be stored")


class Clock:
    """The exchange's time, measured with `GET /api/v3/time` and extrapolated by this machine's steady clock."""

    SAMPLES = 3
    MAX_AGE_S = 600
    """The time after which it is measured again, since clocks drift."""

    def __init__(self, ask: Callable[[], int]):
        self._ask = ask
        self._lock = threading.Lock()
        self._offset_ms = 0.0
        self._measured_at: Optional[float] = None
        self.skew_ms: Optional[int] = None
        """How far the exchange's clock is ahead of this machine's; negative: behind. `None`: not measured yet."""
        self.round_trip_ms: Optional[int] = None
        """Of the measurement: the skew is right to half of it."""

    def now(self) -> int:
        """The exchange's time in milliseconds. Measures it first if that is due."""
        at = self._measured_at
        if at is None or time.monotonic() - at > self.MAX_AGE_S:
            self.sync()
        return int(self._offset_ms + time.monotonic() * 1000)

    def sync(self) -> None:
        """Measures the exchange's time; the sample with the shortest round trip counts."""
        with self._lock:
            best: Optional[Tuple[float, float, float]] = None
            for _ in range(self.SAMPLES):
                before = time.monotonic()
                server = self._ask()
                after = time.monotonic()
                sample = ((after - before) * 1000, server - (before + after) * 500, server - time.time() * 1000)
                best = sample if best is None or sample < best else best
            assert best is not None
            round_trip, self._offset_ms, skew = best
            self.round_trip_ms, self.skew_ms = round(round_trip), round(skew + round_trip / 2)
            self._measured_at = time.monotonic()
        if abs(self.skew_ms) >= 1000:
            _log.warning("the exchange's clock is %d ms ahead of this machine's; its time is used", self.skew_ms)


class _Response(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """Headers by their names in lower case."""
    body: bytes


class _Http:
    """Requests over persistent connections, one per thread. Follows no redirect."""

    def __init__(self, url: str, timeout_s: float, context: Optional[ssl.SSLContext]):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise UsageError(f"url: expected http://host:port or https://host, found {parts.scheme or 'no'} scheme")
        if parts.username or parts.password:
            raise UsageError("url: must not hold a user name or a password")
        self.is_tls = parts.scheme == "https"
        self.host = parts.hostname
        self.port = parts.port or (443 if self.is_tls else 80)
        self.prefix = parts.path.rstrip("/")
        self.timeout_s = timeout_s
        self.context = (context or ssl.create_default_context()) if self.is_tls else None
        self._local = threading.local()

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.is_tls else 'http'}://{host}:{self.port}{self.prefix}"

    def ask(self, method: str, target: str, body: Optional[bytes], headers: Dict[str, str]) -> _Response:
        """Raises `_NotSent` or `_Lost`."""
        try:
            connection = self._connection()
        except ssl.SSLCertVerificationError as cause:
            raise ConnectionFailedError(f"the certificate of {self.origin} is not trusted: {cause.verify_message}") from cause
        except (OSError, http.client.HTTPException) as cause:
            raise _NotSent(f"no connection to {self.origin}: {cause}") from cause
        try:
            connection.request(method, target, body=body, headers=headers)
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException, ValueError) as cause:
            self.close()
            raise _Lost(f"no answer from {self.origin}: {type(cause).__name__}: {cause}") from cause
        except BaseException:
            # Interrupted: the next data on this connection would be the answer to this request.
            self.close()
            raise
        if response.will_close:
            self.close()
        return _Response(response.status, {k.lower(): v for k, v in response.headers.items()}, content)

    def close(self) -> None:
        """Closes the connection of this thread."""
        connection: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        self._local.connection = None
        if connection is not None:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        connection: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        if connection is not None and not _is_quiet(connection.sock):
            # The server closed the connection, or sent unsolicited data.
            self.close()
            connection = None
        if connection is None:
            if self.context is None:
                connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout_s)
            else:
                connection = http.client.HTTPSConnection(
                    self.host, self.port, timeout=self.timeout_s, context=self.context
                )
            connection.connect()
            self._local.connection = connection
        return connection


def _is_quiet(sock: Optional[socket.socket]) -> bool:
    if sock is None:
        return False
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return not selector.select(0)


# --- The client -------------------------------------------------------------------------------------------------------


class _Command(NamedTuple):
    """A request that must not be carried out twice, and the ids under which its orders can be queried."""

    asked: str
    send: Callable[[], Json]
    """One attempt. Raises `RefusedError`, `_NotSent`, or `_Lost` with the attempt's deadline."""
    ids: Sequence[str]
    is_list: bool = False
    is_answer: bool = False
    """The record found under the id equals the lost answer."""


class Bourse:
    """A client of one exchange, for one key. Threads may share it.

    `url`: the exchange's origin, `http://host:port`, optionally with a path before `/api/v3`.
    `api_secret`: the text that came with the key; or, for the key of a pair (Ed25519), a function that signs bytes with
    the private key, such as `Ed25519PrivateKey.sign` of the package `cryptography`: its signatures are strict.
    `strict`: each signature covers method and path and is valid once
    (docs/reference/authentication.md#strict-signature); those of withdrawals always do.
    `recv_window`: the time after sending within which a request may take effect, 1 to 60000 milliseconds. After it the
    outcome of an order with a lost answer is certain.
    `timeout_s`: for each answer. `patience_s`: the total time for which a request is retried after a limit (429), an
    unavailable service, or a lost answer; 0 raises an error at once. `order_attempts`: the number of times that an order is
    sent if it was certainly not placed; with 1, `NotPlacedError` is raised.
    """

    def __init__(
        self,
        url: str,
        api_key: Optional[str] = None,
        api_secret: Union[str, Callable[[bytes], bytes], None] = None,
        *,
        strict: bool = False,
        recv_window: int = 5000,
        timeout_s: float = 10.0,
        patience_s: float = 30.0,
        order_attempts: int = 3,
        tls: Optional[ssl.SSLContext] = None,
    ):
        if (api_key is None) != (api_secret is None):
            raise UsageError("api_key and api_secret: give both, or neither")
        if not 1 <= recv_window <= 60000:
            raise UsageError(f"recv_window: expected 1 to 60000 milliseconds, found {recv_window}")
        if order_attempts < 1:
            raise UsageError(f"order_attempts: expected 1 or more, found {order_attempts}")
        self._http = _Http(url, timeout_s, tls)
        self._api_key = api_key
        self._signer = None if api_secret is None else _Signer(api_secret)
        self._strict = strict or (self._signer is not None and self._signer.is_pair)
        self._recv_window = recv_window
        self._patience_s = patience_s
        self._order_attempts = order_attempts
        self._closed_until: Dict[str, float] = {}
        self.clock = Clock(self.time)
        self.used_weight: Optional[int] = None
        """Weight that this address has used in this minute, by the last answer (docs/reference/rate-limits.md)."""
        self._sleep: Callable[[float], None] = time.sleep
        if not self._http.is_tls and self._http.host not in ("127.0.0.1", "::1", "localhost"):
            _log.warning("%s is not encrypted: whoever is on the way can read and repeat requests", self._http.origin)

    @classmethod
    def from_environment(cls, **options: Any) -> Bourse:
        """Uses `BOURSE_URL`, `BOURSE_KEY` and `BOURSE_SECRET` of the environment, as in the reference's examples."""
        missing = [name for name in ("BOURSE_URL", "BOURSE_KEY", "BOURSE_SECRET") if not os.environ.get(name)]
        if missing:
            raise UsageError(f"the environment lacks {', '.join(missing)}")
        return cls(os.environ["BOURSE_URL"], os.environ["BOURSE_KEY"], os.environ["BOURSE_SECRET"], **options)

    @classmethod
    def from_sandbox(cls, data: str, name: str = "alice", **options: Any) -> Bourse:
        """Uses an account of the sandbox whose data directory is `data` (the sandbox prints its path)."""
        path = os.path.join(data, "sandbox.json")
        try:
            with open(path, encoding="utf-8") as file:
                sandbox = json.load(file)
        except OSError as cause:
            raise UsageError(f"{path}: cannot be read; expected the data directory of a sandbox: {cause}") from cause
        for account in sandbox["accounts"]:
            if account["name"] == name:
                return cls(sandbox["baseUrl"], account["apiKey"], account["secret"], **options)
        names = ", ".join(account["name"] for account in sandbox["accounts"])
        raise UsageError(f"{path} has no account {name}; it has {names}")

    def __repr__(self) -> str:
        key = "no key" if self._api_key is None else f"key {self._api_key[:4]}..."
        return f"<Bourse {self._http.origin}, {key}>"

    def __enter__(self) -> Bourse:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes this thread's connection. The client can still be used."""
        self._http.close()

    # Service

    def ping(self) -> None:
        """Returns normally if the exchange accepts orders; otherwise raises an error."""
        self._read("ping")

    def time(self) -> int:
        """The exchange's time in milliseconds, requested now. `clock.now()` sends few requests."""
        return int(self._read("time")["data"]["serverTime"])

    def exchange_info(self) -> Json:
        """Symbols in the form of the common interface."""
        return cast(Json, self._read("exchange_info"))

    def rules(self, symbol: Optional[str] = None) -> Json:
        """The rules for orders, and what may be done now: docs/reference/extensions.md#rules-of-symbols."""
        return self._data("rules", symbol=symbol)

    # Market data

    def depth(self, symbol: str, limit: Optional[int] = None) -> Dict[str, Dict[Decimal, Decimal]]:
        """The book: `sell` and `buy`, price to quantity, best first. `limit`: levels per side, 1 to 5000."""
        answer = self._read("depth", symbol=symbol, limit=limit)
        return {
            side: {Decimal(price): Decimal(quantity) for price, quantity in answer[side].items()}
            for side in ("sell", "buy")
        }

    def trades(self, symbol: str, limit: Optional[int] = None) -> List[Json]:
        """Recent trades, newest first."""
        return cast(List[Json], self._read("trades", symbol=symbol, limit=limit))

    def historical_trades(
        self,
        symbol: str,
        *,
        from_id: Optional[int] = None,
        start_time: Optional[int] = None,
        end_time: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> List[Json]:
        """Trades by their numbers, oldest first: docs/reference/extensions.md#trades-by-number."""
        return cast(
            List[Json],
            self._data(
                "historical_trades", symbol=symbol, fromId=from_id, startTime=start_time, endTime=end_time, limit=limit
            ),
        )

    def agg_trades(
        self,
        symbol: str,
        *,
        from_id: Optional[int] = None,
        start_time: Optional[int] = None,
        end_time: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> List[Json]:
        """Aggregate trades by their numbers, oldest first: docs/reference/extensions.md#aggregate-trades."""
        return cast(
            List[Json],
            self._data("agg_trades", symbol=symbol, fromId=from_id, startTime=start_time, endTime=end_time, limit=limit),
        )

    def klines(
        self,
        symbol: str,
        interval: str,
        *,
        start_time: Optional[int] = None,
        end_time: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> List[List[Any]]:
        """Candles, oldest first, in the 12 columns of docs/reference/candles.md#candles, with `Decimal` prices and volumes."""
        rows = self._data("klines", symbol=symbol, interval=interval, startTime=start_time, endTime=end_time, limit=limit)
        return [[Decimal(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]

    def ticker_price(self, symbol: Optional[str] = None) -> Any:
        """The last price; a list of all symbols without `symbol`."""
        return self._data("ticker_price", symbol=symbol)

    def ticker_24hr(self, symbol: Optional[str] = None) -> Any:
        """Figures of the last 24 hours; a list of all symbols without `symbol`."""
        return self._data("ticker_24hr", symbol=symbol)

    def book_ticker(self, symbol: Optional[str] = None) -> Any:
        """The best prices; a list of all symbols without `symbol`."""
        return self._data("book_ticker", symbol=symbol)

    # Orders

    def place_order(
        self,
        symbol: str,
        side: str,
        type: str,
        *,
        quantity: Optional[Amount] = None,
        price: Optional[Amount] = None,
        total: Optional[Amount] = None,
        stop_price: Optional[Amount] = None,
        trailing_delta: Optional[int] = None,
        iceberg_qty: Optional[Amount] = None,
        time_in_force: Optional[str] = None,
        expire_time: Optional[int] = None,
        self_trade_prevention_mode: Optional[str] = None,
        new_client_order_id: Optional[str] = None,
        new_order_resp_type: Optional[str] = "RESULT",
        recv_window: Optional[int] = None,
    ) -> Order:
        """Places an order: docs/reference/http.md#new-order. Returns its state after placement.

        It is sent with `new_client_order_id`, or with a generated one. After a lost answer the order is queried by it
        until the exchange has the order, or confirms that it never will; in the second case it is sent again,
        `order_attempts` times in all. So it is placed once or not at all. `new_order_resp_type` `FULL`: with its fills;
        `None`: the common interface's own answer.
        """
        fields = _fields(
            symbol=symbol,
            side=side,
            type=type,
            quantity=quantity,
            price=price,
            total=total,
            stopPrice=stop_price,
            trailingDelta=trailing_delta,
            icebergQty=iceberg_qty,
            timeInForce=time_in_force,
            expireTime=expire_time,
            selfTradePreventionMode=self_trade_prevention_mode,
            newOrderRespType=new_order_resp_type,
            newClientOrderId=new_client_order_id or new_id(),
        )
        return cast(Order, self._place("place_order", fields, [fields["newClientOrderId"]], recv_window)["data"])

    def test_order(self, symbol: str, side: str, type: str, **order: Any) -> Json:
        """The effect that an order would have now; nothing is placed. The parameters are those of `place_order`."""
        return cast(Json, self._read("test_order", test=True, **_order_fields(symbol, side, type, order))["data"])

    def cancel_order(
        self,
        id: Optional[str] = None,
        *,
        cancel_orig_client_order_id: Optional[str] = None,
        symbol: Optional[str] = None,
        new_order_resp_type: Optional[str] = None,
    ) -> Optional[Order]:
        """Cancels an open order. `OrderNotFoundError`: it is not open (any more), or not in `symbol`.

        `new_order_resp_type` `RESULT`: returns the resulting order; otherwise `None`. If the answer to an attempt was
        lost and the next finds no open order, the order itself shows whether it was canceled.
        """
        fields = _fields(
            id=id,
            cancelOrigClientOrderId=cancel_orig_client_order_id,
            symbol=symbol,
            newOrderRespType=new_order_resp_type,
        )
        return self._cancel(fields, lambda lost: self._repeatable("cancel_order", fields, lost))

    def _cancel(self, fields: Dict[str, str], cancel: Callable[[_Flag], Json]) -> Optional[Order]:
        lost = _Flag()
        try:
            return cast(Optional[Order], cancel(lost).get("data"))
        except OrderNotFoundError:
            if not lost.is_set:
                raise
            found = self.order(
                order_id=fields.get("id"), orig_client_order_id=fields.get("cancelOrigClientOrderId")
            )
            if found["status"] != "CANCELED":
                raise
            return found if "newOrderRespType" in fields else None

    def order(
        self,
        *,
        order_id: Optional[str] = None,
        orig_client_order_id: Optional[str] = None,
        symbol: Optional[str] = None,
        deadline: Optional[int] = None,
        first_attempt: Optional[int] = None,
    ) -> Order:
        """The current state of an order, however long ago it ended. `OrderNotFoundError` has `is_final` if `deadline` was
        given.
        """
        return cast(
            Order,
            self._data(
                "order",
                symbol=symbol,
                orderId=order_id,
                origClientOrderId=orig_client_order_id,
                deadline=deadline,
                firstAttempt=first_attempt,
            ),
        )

    def order_outcome(
        self, client_order_id: str, deadline: int, first_attempt: Optional[int] = None, *, patience_s: float = 60.0
    ) -> Optional[Order]:
        """The outcome of an order whose answer was lost: the order, or `None` if it was not placed and never will be.

        Queries until that is certain. `deadline`: the latest time at which it may have taken effect
        (`OutcomeUnknownError` has it).
        """
        found = self._outcome(client_order_id, deadline, first_attempt, False, patience_s)
        return cast(Optional[Order], found)

    def amend_order(
        self, new_qty: Amount, *, order_id: Optional[str] = None, orig_client_order_id: Optional[str] = None
    ) -> Order:
        """Lowers an order's total quantity to `new_qty`; it keeps its place: docs/reference/order-changes.md#lower-the-quantity."""
        fields = _fields(orderId=order_id, origClientOrderId=orig_client_order_id, newQty=new_qty)
        return cast(Order, self._repeatable("amend_order", fields)["data"])

    def cancel_replace(
        self,
        symbol: str,
        side: str,
        type: str,
        *,
        cancel_replace_mode: str = "STOP_ON_FAILURE",
        cancel_id: Optional[str] = None,
        cancel_orig_client_order_id: Optional[str] = None,
        cancel_restrictions: Optional[str] = None,
        recv_window: Optional[int] = None,
        **order: Any,
    ) -> Json:
        """Cancels an order and places another in one step: docs/reference/order-changes.md#replace.

        The other parameters are those of `place_order`. `PartlyReplacedError`: one of the two was done. After a lost
        answer the new order is queried by its id, as in `place_order`; after `NotPlacedError` check the order to be
        canceled.
        """
        fields = _order_fields(symbol, side, type, order)
        fields.setdefault("newOrderRespType", "RESULT")
        fields.setdefault("newClientOrderId", new_id())
        fields.update(
            _fields(
                cancelReplaceMode=cancel_replace_mode,
                cancelId=cancel_id,
                cancelOrigClientOrderId=cancel_orig_client_order_id,
                cancelRestrictions=cancel_restrictions,
            )
        )
        return cast(Json, self._place("cancel_replace", fields, [fields["newClientOrderId"]], recv_window)["data"])

    def batch(self, operations: Sequence[Mapping[str, Any]], *, recv_window: Optional[int] = None) -> List[Json]:
        """Up to 20 placements and cancels in one request: docs/reference/extensions.md#order-batch.

        Each operation has `method` (`POST` or `DELETE`) and the reference's own parameter names. The answer has
        `status` and `body` of each. Placements have a client order id, given or generated. After a lost answer the
        batch is sent again once each of them is certain: placed orders are recognized, and a completed cancel is
        answered with `UNKNOWN_ORDER`.
        """
        text, ids = _operations(operations)
        return cast(List[Json], self._place("batch", {"operations": text}, ids, recv_window)["data"])

    def active_orders(self, symbol: Optional[str] = None) -> List[Json]:
        """Open orders in the common interface's form, newest first. `open_orders` has all fields."""
        return cast(List[Json], self._read("active_orders", symbol=symbol))

    def open_orders(self, symbol: Optional[str] = None) -> List[Order]:
        """Open orders, newest first."""
        return cast(List[Order], self._data("open_orders", symbol=symbol))

    def cancel_all(self, symbol: Optional[str] = None) -> Json:
        """Cancels all open orders of `symbol`, or of the account. It is repeated until it is answered, so it may also
        cancel orders that another thread places meanwhile.
        """
        fields = _fields(scope="ACCOUNT" if symbol is None else "SYMBOL", symbol=symbol)
        return cast(Json, self._repeatable("cancel_all", fields)["data"])

    def countdown_cancel_all(
        self, countdown_time: int, *, symbol: Optional[str] = None, keep_stops: Optional[bool] = None
    ) -> Json:
        """A dead man's switch: all open orders are canceled in `countdown_time` milliseconds unless it is called again; 0
        switches it off.
        """
        fields = _fields(countdownTime=countdown_time, symbol=symbol, keepStops=keep_stops)
        return cast(Json, self._repeatable("countdown_cancel_all", fields)["data"])

    # Lists of orders

    def place_oco(self, symbol: str, **parameters: Any) -> Json:
        """Two orders, one of which cancels the other: docs/reference/order-lists.md#oco, with its parameters in Python's
        spelling. After a lost answer the list is queried by `list_client_order_id`, given or generated, as in
        `place_order`.
        """
        return self._place_list("place_oco", symbol, parameters)

    def place_oto(self, symbol: str, **parameters: Any) -> Json:
        """An order that places another one when it is filled: docs/reference/order-lists.md#oto. Like `place_oco`."""
        return self._place_list("place_oto", symbol, parameters)

    def place_otoco(self, symbol: str, **parameters: Any) -> Json:
        """An order that places an OCO pair when it is filled: docs/reference/order-lists.md#otoco. Like `place_oco`."""
        return self._place_list("place_otoco", symbol, parameters)

    def order_list(
        self,
        *,
        list_id: Optional[str] = None,
        list_client_order_id: Optional[str] = None,
        deadline: Optional[int] = None,
        first_attempt: Optional[int] = None,
    ) -> Json:
        """A list with its orders, open or ended."""
        return self._data(
            "order_list",
            listId=list_id,
            listClientOrderId=list_client_order_id,
            deadline=deadline,
            firstAttempt=first_attempt,
        )

    def cancel_order_list(
        self, *, cancel_list_id: Optional[str] = None, cancel_list_client_order_id: Optional[str] = None
    ) -> Json:
        """Cancels every open order of a list. Handles a lost answer as `cancel_order` does."""
        fields = _fields(cancelListId=cancel_list_id, cancelListClientOrderId=cancel_list_client_order_id)
        lost = _Flag()
        try:
            return cast(Json, self._repeatable("cancel_order_list", fields, lost)["data"])
        except OrderNotFoundError:
            if not lost.is_set:
                raise
            found = self.order_list(list_id=cancel_list_id, list_client_order_id=cancel_list_client_order_id)
            if all(order["status"] == "FILLED" for order in found["orders"]):
                raise
            return found

    # The account

    def trade_history(
        self,
        symbol: Optional[str] = None,
        *,
        page: Optional[int] = None,
        size: Optional[int] = None,
        before: Optional[str] = None,
    ) -> Json:
        """Fills by the common interface's pages, newest first."""
        answer = self._read("trade_history", symbol=symbol, page=page, size=size, before=before)
        answer["total"] = int(answer["total"])
        return cast(Json, answer)

    def all_orders(
        self,
        symbol: Optional[str] = None,
        *,
        from_: Optional[int] = None,
        to: Optional[int] = None,
        limit: Optional[int] = None,
        before: Optional[str] = None,
    ) -> Json:
        """Every order ever placed, newest first: `orders`, and `next` if there may be more. See `pages`."""
        return self._data("all_orders", symbol=symbol, from_=from_, to=to, limit=limit, before=before)

    def my_trades(
        self,
        symbol: Optional[str] = None,
        *,
        order_id: Optional[str] = None,
        from_: Optional[int] = None,
        to: Optional[int] = None,
        limit: Optional[int] = None,
        before: Optional[str] = None,
    ) -> Json:
        """Fills, newest first: `fills`, and `next` if there may be more. See `pages`."""
        return self._data(
            "my_trades", symbol=symbol, orderId=order_id, from_=from_, to=to, limit=limit, before=before
        )

    def account_ledger(
        self,
        asset: Optional[str] = None,
        *,
        from_: Optional[int] = None,
        to: Optional[int] = None,
        limit: Optional[int] = None,
        before: Optional[str] = None,
    ) -> Json:
        """Every change of the balances, newest first: `entries`, and `next` if there may be more. See `pages`."""
        return self._data("account_ledger", asset=asset, from_=from_, to=to, limit=limit, before=before)

    def account_ledger_csv(
        self,
        asset: Optional[str] = None,
        *,
        from_: Optional[int] = None,
        to: Optional[int] = None,
        limit: Optional[int] = None,
        before: Optional[str] = None,
    ) -> Tuple[str, Optional[str]]:
        """The same as CSV (docs/reference/orders.md#csv): its text, and `before` of the next page; `None` at the end."""
        fields = _fields(asset=asset, from_=from_, to=to, limit=limit, before=before, format="csv")
        response = self._retried(lambda: self._attempt("account_ledger", fields, None)[0], may_repeat=True)
        return response.body.decode(), response.headers.get("x-next")

    def pages(self, endpoint: Callable[..., Json], *arguments: Any, **parameters: Any) -> Iterator[Json]:
        """Each element of a paged list, newest first: `for fill in exchange.pages(exchange.my_trades, "BTC/USDT")`."""
        while True:
            page = endpoint(*arguments, **parameters)
            yield from next(value for value in page.values() if isinstance(value, list))
            if "next" not in page:
                return
            parameters["before"] = page["next"]

    def account_commission(self, symbol: Optional[str] = None) -> Any:
        """The account's rates; a list of all symbols without `symbol`."""
        return self._data("account_commission", symbol=symbol)

    def account_limits(self, symbol: Optional[str] = None) -> Json:
        """The remaining part of every limit."""
        return self._data("account_limits", symbol=symbol)

    def account_positions(self, asset: Optional[str] = None, symbol: Optional[str] = None) -> Json:
        """Average cost and profit: a `positions` list."""
        return self._data("account_positions", asset=asset, symbol=symbol)

    def wallet_balance(self, code: Optional[str] = None) -> Json:
        """`free` of one asset, or all assets of the wallet under `acc`."""
        return self._data("wallet_balance", code=code)

    def balances(self) -> Dict[str, Json]:
        """All assets of the wallet by their code."""
        return {account["asset"]: account for account in self.wallet_balance()["acc"]["Spot"]["assetAccs"]}

    # Withdrawals and deposits: docs/reference/withdrawals.md

    def withdraw(
        self,
        coin: str,
        amount: Amount,
        address: str,
        *,
        address_tag: Optional[str] = None,
        withdraw_order_id: Optional[str] = None,
    ) -> Json:
        """Requests a payment to an address of the account; `id` names the withdrawal. It is sent with `withdraw_order_id`,
        or with a generated one, so that it can be repeated until it is answered and is done once.
        """
        fields = _fields(
            coin=coin,
            amount=amount,
            address=address,
            addressTag=address_tag,
            withdrawOrderId=withdraw_order_id or new_id(),
        )
        return cast(Json, self._repeatable("withdraw", fields)["data"])

    def cancel_withdrawal(
        self, cancel_withdraw_id: Optional[str] = None, *, cancel_withdraw_order_id: Optional[str] = None
    ) -> None:
        """Cancels a withdrawal that has not been claimed for payment."""
        fields = _fields(cancelWithdrawId=cancel_withdraw_id, cancelWithdrawOrderId=cancel_withdraw_order_id)
        self._repeatable("cancel_withdrawal", fields)

    def withdrawal_history(
        self, coin: Optional[str] = None, *, limit: Optional[int] = None, before: Optional[str] = None
    ) -> Json:
        """Withdrawals, newest first."""
        return self._data("withdrawal_history", coin=coin, limit=limit, before=before)

    def deposit_history(
        self, coin: Optional[str] = None, *, limit: Optional[int] = None, before: Optional[str] = None
    ) -> Json:
        """Deposits, newest first."""
        return self._data("deposit_history", coin=coin, limit=limit, before=before)

    def withdrawal_addresses(self, coin: Optional[str] = None) -> Json:
        """The addresses to which money may be sent, and the time from which each may be used."""
        return self._data("withdrawal_addresses", coin=coin)

    def add_withdrawal_address(
        self, coin: str, new_address: str, *, address_tag: Optional[str] = None, label: Optional[str] = None
    ) -> Json:
        """Adds an address; it may be used from `usableAt` on."""
        fields = _fields(coin=coin, newAddress=new_address, addressTag=address_tag, label=label)
        return cast(Json, self._repeatable("add_withdrawal_address", fields)["data"])

    def remove_withdrawal_address(self, coin: str, remove_address: str, *, address_tag: Optional[str] = None) -> None:
        """Removes an address. Withdrawals requested before continue."""
        fields = _fields(coin=coin, removeAddress=remove_address, addressTag=address_tag)
        self._repeatable("remove_withdrawal_address", fields)

    # Signing

    def signature_check(self, **parameters: str) -> Json:
        """Shows how the exchange reads this client's signature: docs/reference/extensions.md#signature-check."""
        return cast(Json, self._read("signature_check", **parameters)["data"])

    # The stream

    def stream(self, **options: Any) -> Stream:
        """A connection of the stream, logged in if this client has a key: see `Stream` for the options."""
        return Stream(self, **options)

    # How requests are made

    def _data(self, name: str, **values: Any) -> Json:
        return cast(Json, self._read(name, **values)["data"])

    def _read(self, name: str, **values: Any) -> Any:
        fields = _fields(**values)
        return self._retried(lambda: self._once(name, fields, None), may_repeat=True)

    def _repeatable(self, name: str, fields: Dict[str, str], lost: Optional[_Flag] = None) -> Json:
        """A change that may be carried out twice without harm."""
        return cast(Json, self._retried(lambda: self._once(name, fields, None), may_repeat=True, lost=lost, changes=True))

    def _place(self, name: str, fields: Dict[str, str], ids: Sequence[str], recv_window: Optional[int]) -> Json:
        asked = _asked(ENDPOINTS[name])
        is_answer = _is_answer(name == "place_order", fields)
        return self._settled(_Command(asked, lambda: self._once(name, fields, recv_window), ids, is_answer=is_answer))

    def _place_list(self, name: str, symbol: str, parameters: Dict[str, Any]) -> Json:
        recv_window = parameters.pop("recv_window", None)
        fields = _fields(symbol=symbol, **_named(name, parameters))
        key = fields.setdefault("listClientOrderId", new_id())
        asked = _asked(ENDPOINTS[name])
        return cast(
            Json, self._settled(_Command(asked, lambda: self._once(name, fields, recv_window), [key], True, True))["data"]
        )

    def _settled(self, command: _Command) -> Json:
        """Carries a command out once: see `place_order`."""
        first_attempt = self.clock.now()
        for _ in range(self._order_attempts):
            try:
                return cast(Json, self._retried(command.send, may_repeat=False))
            except _Lost as lost:
                _log.warning("%s; looking for the order", lost)
                deadline = lost.deadline
            if deadline is None or not command.ids:
                raise OutcomeUnknownError(f"{command.asked}: no answer", None, deadline, first_attempt)
            found = [
                self._outcome(key, deadline, first_attempt, command.is_list, max(self._patience_s, 60.0))
                for key in command.ids
            ]
            if command.is_answer and found[0] is not None:
                return {"data": found[0]}
            if any(found):
                # Sent again it is a repeat, and gets the first answer.
                return self._repeat(command, deadline, first_attempt)
        raise NotPlacedError(
            f"{command.asked}: no answer to {self._order_attempts} attempts; the order was not placed and never will be",
            command.ids[0],
        )

    def _repeat(self, command: _Command, deadline: int, first_attempt: int) -> Json:
        end = time.monotonic() + max(self._patience_s, 60.0)
        while True:
            try:
                return cast(Json, self._retried(command.send, may_repeat=False))
            except PartlyReplacedError:
                raise
            except (_Lost, BourseError) as failure:
                # It was placed: a refusal of the repeat must not look like one of the order.
                if time.monotonic() > end or isinstance(failure, BannedError):
                    raise OutcomeUnknownError(
                        f"{command.asked}: it stands, but its answer cannot be had: {failure}",
                        command.ids[0],
                        deadline,
                        first_attempt,
                    ) from failure
            self._sleep(_jittered(0.5))

    def _outcome(
        self, key: str, deadline: int, first_attempt: Optional[int], is_list: bool, patience_s: float
    ) -> Optional[Json]:
        """The order or list with the id; `None` if it will never exist. Raises `OutcomeUnknownError`."""
        name = "order_list" if is_list else "order"
        key_name = "listClientOrderId" if is_list else "origClientOrderId"
        fields = _fields(**{key_name: key}, deadline=deadline, firstAttempt=first_attempt)
        end = time.monotonic() + patience_s
        pause = 0.1
        while True:
            cause: Exception
            try:
                return cast(Json, self._retried(lambda: self._once(name, fields, None), may_repeat=True)["data"])
            except OrderNotFoundError as refused:
                if refused.is_final:
                    return None
                cause = refused
            except (ConnectionFailedError, UnavailableError, RateLimitError) as failure:
                if isinstance(failure, BannedError):
                    raise OutcomeUnknownError(
                        f"no answer about {key}: {failure}", key, deadline, first_attempt
                    ) from failure
                cause = failure
            if time.monotonic() + pause > end:
                raise OutcomeUnknownError(
                    f"the order {key} may have been placed: {cause}", key, deadline, first_attempt
                ) from cause
            self._sleep(_jittered(pause))
            pause = min(pause * 2, 1.0)

    def _retried(
        self,
        attempt: Callable[[], Any],
        *,
        may_repeat: bool,
        lost: Optional[_Flag] = None,
        changes: bool = False,
    ) -> Any:
        """Repeats requests that were certainly not carried out, or may be carried out twice, until `patience_s` is over.

        Raises `_Lost` for all others.
        """
        end = time.monotonic() + self._patience_s
        pause = 0.1
        measured = False
        while True:
            failure: Exception
            wait = _jittered(pause)
            try:
                return attempt()
            except ClockError as refused:
                refused.skew_ms = self.clock.skew_ms
                if measured or refused.reason == "DEADLINE_OVER":
                    refused.args = (f"{refused}; the exchange's clock is {self.clock.skew_ms} ms ahead of this machine's",)
                    raise
                measured = True
                self.clock.sync()
                continue
            except BannedError:
                raise
            except RateLimitError as refused:
                failure = refused
                wait = wait if refused.retry_after is None else refused.retry_after + random.uniform(0, 0.25)
            except UnavailableError as refused:
                if refused.reason in _UNKNOWN_OUTCOME and may_repeat:
                    if lost is not None:
                        lost.is_set = True
                elif refused.reason not in _PASSING:
                    raise
                failure = refused
                wait = wait if refused.retry_after is None else refused.retry_after + random.uniform(0, 0.25)
            except _NotSent as cause:
                failure = ConnectionFailedError(str(cause))
            except _Lost as cause:
                if not may_repeat:
                    raise
                if lost is not None:
                    lost.is_set = True
                failure = (
                    OutcomeUnknownError(str(cause), None, cause.deadline, None)
                    if changes
                    else ConnectionFailedError(str(cause))
                )
            if time.monotonic() + wait > end:
                raise failure
            _log.info("%s; trying again in %.2f s", failure, wait)
            self._sleep(wait)
            pause = min(pause * 2, 5.0)

    def _once(self, name: str, fields: Dict[str, str], recv_window: Optional[int]) -> Any:
        response, deadline = self._attempt(name, fields, recv_window)
        try:
            return _decoded(_read_json(response.body))
        except ValueError as cause:
            raise _Lost(f"{_asked(ENDPOINTS[name])}: an answer that is no JSON", deadline) from cause

    def _attempt(self, name: str, fields: Dict[str, str], recv_window: Optional[int]) -> Tuple[_Response, int]:
        """Sends a request once. Returns a success and the request's deadline; raises `RefusedError`, `_NotSent` or `_Lost`."""
        endpoint = ENDPOINTS[name]
        asked = _asked(endpoint)
        self._wait_for_limits(name, asked)
        window = self._recv_window if recv_window is None else recv_window
        timestamp = 0 if endpoint.security == "NONE" else self.clock.now()
        method, target, body, headers = self._request(endpoint, fields, timestamp, window)
        began = time.monotonic()
        try:
            response = self._http.ask(method, target, body, headers)
        except _Lost as cause:
            raise _Lost(f"{asked}: {cause}", timestamp + window) from cause
        _log.debug("%s %d in %.0f ms", asked, response.status, (time.monotonic() - began) * 1000)
        weight = response.headers.get("x-mbx-used-weight-1m", "")
        if weight.isdigit():
            self.used_weight = int(weight)
        if response.status == 200:
            return response, timestamp + window
        refused = _refusal_of(asked, response)
        if refused is None and endpoint.method == "GET" and response.status < 500 and response.status not in (408, 425, 429):
            raise ConnectionFailedError(f"{asked}: status {response.status} from something else than the exchange: look at url")
        if refused is None or (endpoint.method != "GET" and refused.reason in _UNKNOWN_OUTCOME):
            raise _Lost(f"{asked}: status {response.status} without a certain outcome", timestamp + window)
        self._note_limit(refused)
        raise refused

    def _request(
        self, endpoint: Endpoint, fields: Dict[str, str], timestamp: int, window: int
    ) -> Tuple[str, str, Optional[bytes], Dict[str, str]]:
        path = f"{self._http.prefix}/api/v3{endpoint.path}"
        headers = {"User-Agent": f"bourse-python/{__version__}", "Accept": "application/json, text/csv"}
        values = dict(fields)
        if endpoint.security != "NONE":
            if self._api_key is None or self._signer is None:
                raise UsageError(f"{_asked(endpoint)} needs a key: give the client api_key and api_secret")
            headers["X-Apikey"] = self._api_key
            values["timestamp"] = str(timestamp)
        is_signed = endpoint.security in _SIGNED
        if is_signed:
            values["recvWindow"] = str(window)
        text = urllib.parse.urlencode(values)
        in_body = endpoint.method != "GET"
        query, body = ("", text) if in_body else (text, "")
        if is_signed and self._signer is not None:
            if self._strict or endpoint.security == "WITHDRAW":
                nonce = secrets.token_hex(16)
                lines = [endpoint.method, path, query, str(timestamp), nonce, body]
                headers["X-Timestamp"], headers["X-Nonce"] = str(timestamp), nonce
                headers["X-Signature"] = "v2=" + self._signer.sign("\n".join(lines))
            else:
                headers["X-Signature"] = self._signer.sign(text)
        if in_body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        return endpoint.method, path + (f"?{query}" if query else ""), body.encode() if in_body else None, headers

    def _wait_for_limits(self, name: str, asked: str) -> None:
        """Nothing is sent before the time given by an answer with `Retry-After`; cancels do not wait for order limits."""
        kinds = ["RATE_LIMITED"] + (["ORDER_RATE_LIMITED"] if "place" in name or name == "batch" else [])
        wait = max(self._closed_until.get(kind, 0.0) for kind in kinds) - time.monotonic()
        if self._closed_until.get("BANNED", 0.0) > time.monotonic():
            left = int(self._closed_until["BANNED"] - time.monotonic()) + 1
            raise BannedError(asked, 418, _local("BANNED", f"banned for {left} s more; not sent"), left, None)
        if wait <= 0:
            return
        if wait > self._patience_s:
            left = int(wait) + 1
            raise RateLimitError(asked, 429, _local("RATE_LIMITED", f"limited for {left} s more; not sent"), left, None)
        self._sleep(wait + random.uniform(0, 0.25))

    def _note_limit(self, refused: RefusedError) -> None:
        if refused.retry_after is not None and refused.reason in ("RATE_LIMITED", "ORDER_RATE_LIMITED", "BANNED"):
            self._closed_until[refused.reason] = time.monotonic() + refused.retry_after


class _Flag:
    is_set = False


def _is_answer(is_placement: bool, fields: Mapping[str, str]) -> bool:
    return is_placement and fields.get("newOrderRespType") == "RESULT"


def _local(reason: str, text: str) -> Json:
    return {"code": "0014", "reason": reason, "msg": [text]}


def new_id() -> str:
    """A unique client order id of 32 characters."""
    return secrets.token_hex(16)


def _asked(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


def _jittered(pause_s: float) -> float:
    return pause_s * random.uniform(0.5, 1.0)


def _camel(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in others)


def _named(endpoint_name: str, parameters: Mapping[str, Any]) -> Dict[str, Any]:
    """Parameters in Python's spelling under the interface's names. Raises `UsageError` for one that the endpoint does not
    have.
    """
    taken = ENDPOINTS[endpoint_name].parameters
    named = {_camel(name): value for name, value in parameters.items()}
    for name, given in zip(named, parameters):
        if name not in taken:
            raise UsageError(f"{given}: not a parameter of {_asked(ENDPOINTS[endpoint_name])}")
    return named


def _order_fields(symbol: str, side: str, type: str, order: Mapping[str, Any]) -> Dict[str, str]:
    return _fields(symbol=symbol, side=side, type=type, **_named("place_order", order))


def _operations(operations: Sequence[Mapping[str, Any]]) -> Tuple[str, List[str]]:
    """The text of a batch, and the ids of its placements."""
    ids: List[str] = []
    texts: List[Dict[str, str]] = []
    for number, operation in enumerate(operations):
        if operation.get("method") not in ("POST", "DELETE"):
            raise UsageError(f"operations[{number}]: expected method POST or DELETE, found {operation.get('method')!r}")
        fields = _fields(**operation)
        if fields["method"] == "POST":
            ids.append(fields.setdefault("newClientOrderId", new_id()))
        texts.append(fields)
    return json.dumps(texts, separators=(",", ":")), ids


def _refusal_of(asked: str, response: _Response) -> Optional[RefusedError]:
    """The error in an answer; `None` if it is not the exchange's own answer."""
    try:
        body = _read_json(response.body)
    except ValueError:
        return None
    if not isinstance(body, dict) or body.get("status") is not False or "code" not in body:
        return None
    retry_after = response.headers.get("retry-after", "")
    seconds = int(retry_after) if retry_after.isdigit() else None
    return _refusal(asked, response.status, body, seconds, response.headers.get("x-request-id"))


# --- WebSocket --------------------------------------------------------------------------------------------------------


class WebSocketClosed(Exception):
    """The connection has ended. `code`: 1006 without a close frame."""

    def __init__(self, code: int, text: str):
        super().__init__(f"{code} {text}".strip())
        self.code = code


class WebSocket:
    """A client's end of RFC 6455: text messages, no extensions. One thread receives; any may send.

    Answers pings, assembles fragments, and sends a ping after `PING_S` without data; after the same time again without
    data the connection counts as lost. Any violation of the protocol ends it.
    """

    PING_S = 20.0
    MESSAGE_BYTES_MAX = 256 * 1024 * 1024
    _HEAD_BYTES_MAX = 64 * 1024
    _GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    def __init__(self, http_: _Http, path: str):
        """Connects. Raises `OSError`, `WebSocketClosed`, or the `RefusedError` in the exchange's answer."""
        self._lock = threading.Lock()
        self._buffer = bytearray()
        self._parts: List[bytes] = []
        self._parts_bytes = 0
        self._heard_at = time.monotonic()
        self._pinged_at: Optional[float] = None
        self._timeout_s = http_.timeout_s
        plain = socket.create_connection((http_.host, http_.port), http_.timeout_s)
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket = (
                plain if http_.context is None else http_.context.wrap_socket(plain, server_hostname=http_.host)
            )
        except BaseException:
            plain.close()
            raise
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_READ)
        try:
            self._shake_hands(http_, path)
        except BaseException:
            self._drop()
            raise

    def send(self, text: str) -> None:
        """Raises `OSError` if the connection is lost."""
        self._send_frame(0x1, text.encode())

    def receive(self, timeout_s: float) -> Optional[str]:
        """The next message; `None` after the timeout. Raises `WebSocketClosed` or `OSError`."""
        end = time.monotonic() + timeout_s
        while True:
            message = self._take_message()
            if message is not None:
                return message
            left = end - time.monotonic()
            if left <= 0:
                return None
            self._read(min(left, 1.0))
            self._keep_alive()

    def close(self) -> None:
        """Sends a close frame, and does not wait for the answer."""
        try:
            self._send_frame(0x8, struct.pack(">H", 1000))
        except (OSError, ValueError):
            pass
        self._drop()

    def _drop(self) -> None:
        self._selector.close()
        self._socket.close()

    def _shake_hands(self, http_: _Http, path: str) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"[{http_.host}]" if ":" in http_.host else http_.host
        head = [
            f"GET {http_.prefix}{path} HTTP/1.1",
            f"Host: {host}:{http_.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"User-Agent: bourse-python/{__version__}",
        ]
        self._socket.sendall("\r\n".join([*head, "", ""]).encode())
        end = time.monotonic() + self._timeout_s
        while b"\r\n\r\n" not in self._buffer:
            if len(self._buffer) > self._HEAD_BYTES_MAX or time.monotonic() > end:
                raise WebSocketClosed(1002, "no answer to the handshake")
            self._read(0.25)
        answer, _, rest = bytes(self._buffer).partition(b"\r\n\r\n")
        status_line, *lines = answer.decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = status_line.split(" ")[1:2]
        if status != ["101"]:
            raise self._refused(status_line, headers, rest, end)
        expected = base64.b64encode(hashlib.sha1((key + self._GUID).encode()).digest()).decode()
        is_right = (
            headers.get("upgrade", "").lower() == "websocket"
            and "upgrade" in headers.get("connection", "").lower()
            and headers.get("sec-websocket-accept") == expected
            and "sec-websocket-extensions" not in headers
        )
        if not is_right:
            raise WebSocketClosed(1002, "the answer to the handshake does not fit")
        del self._buffer[: len(answer) + 4]

    def _refused(self, status_line: str, headers: Dict[str, str], rest: bytes, end: float) -> Exception:
        length = headers.get("content-length", "")
        body = bytearray(rest)
        while length.isdigit() and len(body) < min(int(length), self._HEAD_BYTES_MAX) and time.monotonic() < end:
            self._buffer.clear()
            try:
                self._read(0.25)
            except (OSError, WebSocketClosed):
                break
            body += self._buffer
        words = status_line.split(" ")
        code = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
        refused = _refusal_of("the stream", _Response(code, headers, bytes(body)))
        return refused or WebSocketClosed(1002, f"no WebSocket there: {status_line}")

    def _send_frame(self, opcode: int, payload: bytes) -> None:
        mask = os.urandom(4)
        size = len(payload)
        if size < 126:
            head = struct.pack(">BB", 0x80 | opcode, 0x80 | size)
        elif size < 65536:
            head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, size)
        masked = _masked(payload, mask)
        with self._lock:
            # One lock for both directions: a TLS connection must not be written and read at the same time.
            self._socket.settimeout(self._timeout_s)
            self._socket.sendall(head + mask + masked)

    def _read(self, wait_s: float) -> None:
        with self._lock:
            has_pending = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0
        if not has_pending and not self._selector.select(wait_s):
            return
        with self._lock:
            self._socket.settimeout(0)
            try:
                data = self._socket.recv(65536)
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return
        if not data:
            raise WebSocketClosed(1006, "the connection was cut")
        self._heard_at = time.monotonic()
        self._pinged_at = None
        self._buffer += data

    def _keep_alive(self) -> None:
        now = time.monotonic()
        if self._pinged_at is None and now - self._heard_at > self.PING_S:
            self._pinged_at = now
            self._send_frame(0x9, b"")
        elif self._pinged_at is not None and now - self._pinged_at > self.PING_S:
            raise WebSocketClosed(1006, "the connection is silent")

    def _take_message(self) -> Optional[str]:
        while True:
            frame = self._take_frame()
            if frame is None:
                return None
            is_last, opcode, payload = frame
            if opcode == 0x8:
                code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
                try:
                    self._send_frame(0x8, payload[:2])
                except OSError:
                    pass
                raise WebSocketClosed(code, payload[2:].decode("utf-8", "replace"))
            if opcode == 0x9:
                self._send_frame(0xA, payload)
            elif opcode in (0x0, 0x1):
                if (opcode == 0x0) != bool(self._parts):
                    raise WebSocketClosed(1002, "a fragment out of place")
                self._parts.append(payload)
                self._parts_bytes += len(payload)
                if self._parts_bytes > self.MESSAGE_BYTES_MAX:
                    raise WebSocketClosed(1009, "a message that is too long")
                if is_last:
                    whole = b"".join(self._parts)
                    self._parts, self._parts_bytes = [], 0
                    try:
                        return whole.decode()
                    except UnicodeDecodeError as cause:
                        raise WebSocketClosed(1007, "a message that is not UTF-8") from cause
            elif opcode != 0xA:
                raise WebSocketClosed(1003, f"a frame of kind {opcode}")

    def _take_frame(self) -> Optional[Tuple[bool, int, bytes]]:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        is_last, opcode, size, at = bool(buffer[0] & 0x80), buffer[0] & 0x0F, buffer[1] & 0x7F, 2
        if buffer[0] & 0x70 or buffer[1] & 0x80 or (opcode >= 0x8 and (size > 125 or not is_last)):
            raise WebSocketClosed(1002, "a frame that the protocol forbids")
        if size == 126:
            if len(buffer) < 4:
                return None
            size, at = struct.unpack(">H", buffer[2:4])[0], 4
        elif size == 127:
            if len(buffer) < 10:
                return None
            size, at = struct.unpack(">Q", buffer[2:10])[0], 10
        if size > self.MESSAGE_BYTES_MAX:
            raise WebSocketClosed(1009, "a message that is too long")
        if len(buffer) < at + size:
            return None
        payload = bytes(buffer[at : at + size])
        del buffer[: at + size]
        return is_last, opcode, payload


def _masked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    if size == 0:
        return b""
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


# --- What a client keeps ----------------------------------------------------------------------------------------------


class _Side:
    """One side of a book: levels by their price in ticks."""

    def __init__(self) -> None:
        self._levels: Dict[int, Tuple[Decimal, Decimal, str]] = {}
        self._ticks: List[int] = []

    def clear(self) -> None:
        self._levels.clear()
        self._ticks.clear()

    def set(self, price: str, quantity: str) -> None:
        ticks = int(price.replace(".", ""))
        lots = quantity.replace(".", "").lstrip("0")
        if not lots:
            if self._levels.pop(ticks, None) is not None:
                del self._ticks[bisect.bisect_left(self._ticks, ticks)]
            return
        if ticks not in self._levels:
            bisect.insort(self._ticks, ticks)
        self._levels[ticks] = (Decimal(price), Decimal(quantity), f"{ticks}:{lots}")

    def best(self, count: Optional[int], highest_first: bool) -> List[Tuple[Decimal, Decimal, str]]:
        size = len(self._ticks)
        count = size if count is None else min(count, size)
        ticks = reversed(self._ticks[size - count :]) if highest_first else self._ticks[:count]
        return [self._levels[tick] for tick in ticks]


class LocalBook:
    """The complete book of a symbol, maintained from the channel `book`: docs/reference/stream-extensions.md#keeping-a-book."""

    def __init__(self, symbol: str):
        self.symbol = symbol
        self.seq: Optional[int] = None
        """Of the newest message in it; `None` while it is not the exchange's book: before the first, and while it is repaired."""
        self.repairs = 0
        """How many times a gap or a checksum has shown that it had to be read again."""
        self._bids = _Side()
        self._asks = _Side()

    @property
    def is_live(self) -> bool:
        """Whether it equals the exchange's book, as of the last event taken from the stream."""
        return self.seq is not None

    def bids(self, count: Optional[int] = None) -> List[Tuple[Decimal, Decimal]]:
        """Price and quantity of the best `count` levels of buyers, or of all, best first."""
        return [(price, quantity) for price, quantity, _ in self._bids.best(count, True)]

    def asks(self, count: Optional[int] = None) -> List[Tuple[Decimal, Decimal]]:
        """The same for sellers."""
        return [(price, quantity) for price, quantity, _ in self._asks.best(count, False)]

    def checksum(self) -> int:
        """docs/reference/stream-extensions.md#checksum."""
        bids = ",".join(text for _, _, text in self._bids.best(10, True))
        asks = ",".join(text for _, _, text in self._asks.best(10, False))
        return zlib.crc32(f"{bids}|{asks}".encode())

    def apply(self, message: Mapping[str, Any]) -> bool:
        """Applies a message of the channel. `False`: the book is inconsistent, and must be subscribed to again."""
        if "prevSeq" not in message:
            self._bids.clear()
            self._asks.clear()
        elif self.seq is None:
            return True
        elif message["prevSeq"] != self.seq:
            return self._broken()
        self.seq = message["seq"]
        for side, levels in ((self._bids, message["bids"]), (self._asks, message["asks"])):
            for price, quantity in levels:
                side.set(price, quantity)
        if "checksum" in message and message["checksum"] != self.checksum():
            return self._broken()
        return True

    def lose(self) -> None:
        """The connection is lost: the book may be outdated."""
        self.seq = None

    def _broken(self) -> bool:
        self.seq = None
        self.repairs += 1
        return False


class Account:
    """Open orders and balances, maintained from the private feed: docs/reference/private-feed.md#keeping-the-account."""

    CHANNELS = ("orders", "balances")

    def __init__(self) -> None:
        self.orders: Dict[str, Order] = {}
        """Open orders by their id."""
        self.balances: Dict[str, Balance] = {}
        """By the asset's code."""
        self._known: Dict[str, bool] = {}

    @property
    def is_live(self) -> bool:
        """Whether orders and balances equal those of the exchange, as of the last event taken from the stream. After a
        reconnect, missed events come first.
        """
        return all(self._known.get(channel, False) for channel in self.CHANNELS)

    def apply(self, channel: str, message: Mapping[str, Any]) -> None:
        """Applies a message of `orders` or `balances`."""
        if channel == "orders":
            if "prevSeq" not in message:
                self.orders.clear()
            for order in message["orders"]:
                if order["status"] in ("FILLED", "CANCELED"):
                    self.orders.pop(order["id"], None)
                else:
                    self.orders[order["id"]] = order
        else:
            if "prevSeq" not in message:
                self.balances.clear()
            for balance in message["balances"]:
                self.balances[balance["asset"]] = balance
        self._known[channel] = True

    def resume(self, channel: str) -> None:
        """The missed events of the channel, if any, come next."""
        self._known[channel] = True

    def lose(self) -> None:
        """The connection is lost: the account may have changed."""
        self._known.clear()


# --- The stream -------------------------------------------------------------------------------------------------------


class Event(NamedTuple):
    """An event of the stream: see `Stream`."""

    channel: str
    symbol: Optional[str]
    data: Any


class _Subscription:
    """A channel that is followed, over all connections."""

    def __init__(self, channel: str, symbol: Optional[str], options: Dict[str, int], book: Optional[LocalBook]):
        self.channel = channel
        self.symbol = symbol
        self.options = options
        self.book = book
        self.received: Optional[Tuple[str, int]] = None
        """Private channels: journal and number of the last message that is in the queue; where to go on after a reconnect."""
        self.parts: List[Json] = []

    @property
    def key(self) -> Tuple[str, Optional[str], Tuple[Tuple[str, int], ...]]:
        return _key(self.channel, self.symbol, self.options)

    def parameters(self) -> Json:
        base: Json = {"channel": self.channel, **self.options}
        if self.symbol is not None:
            base["symbol"] = self.symbol
        elif self.received is not None:
            base["journal"], base["since"] = self.received
        return base

    def whole(self, message: Json) -> Optional[Json]:
        """The message, assembled from its parts; `None` while parts are missing."""
        self.parts.append(message)
        if message.get("more"):
            return None
        merged = {**self.parts[0], "seq": message["seq"]}
        merged.pop("more", None)
        merged[self.channel] = [row for part in self.parts for row in part[self.channel]]
        self.parts = []
        return merged


def _key(
    channel: str, symbol: Optional[str], options: Mapping[str, int]
) -> Tuple[str, Optional[str], Tuple[Tuple[str, int], ...]]:
    return channel, symbol, tuple(sorted(options.items()))


class _Waiter:
    """A request that waits for its answer."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.answer: Optional[List[Any]] = None


class _Reconnect(Exception):
    """The connection is unusable."""


class _QueueFull(_Reconnect):
    """There is no room for an event: the events in the queue are kept, and the connection is opened again after them."""


_PRIVATE = ("orders", "fills", "balances")


class Stream:
    """One connection of the stream that reconnects automatically: market, account and orders.

        with exchange.stream() as stream:
            book = stream.book("BTC/USDT")
            account = stream.account()
            for event in stream:
                print(event.channel, book.bids(1), book.asks(1), len(account.orders))

    A thread reads the connection, answers pings and delivers answers. Events wait in a queue, and the results of `book`
    and `account` change only inside `next`, in the thread that calls it. A full queue ends the connection until half of
    it is taken; then books are loaded again, and the account continues after its last event in the queue: in this
    process no fill is lost or reported twice.

    Events have the channel's name and message (docs/reference/stream-extensions.md, docs/reference/private-feed.md),
    those of rooms the event's name and payload (docs/reference/stream.md). There are also:

    - `connected`: `{"resumed": ...}`, whether the previous session continues. `disconnected`: `{"reason": ...}`
    - `shutdown`, `stale`, `live`, `loggedOut`: as the exchange sends them
    - `resumed`: `{"channel": ...}`: a private channel continues after a reconnect; missed events come next
    - `reset`: `{"channel": ...}`: the exchange was restored, or too many events were missed: the complete state follows
    - `session_lost`: orders that were placed over the session have been canceled or will be
    - `error`: a message was refused, for example a subscription; as the exchange sends it
    """

    def __init__(
        self,
        client: Bourse,
        *,
        cancel_on_disconnect: bool = False,
        grace_ms: int = 0,
        session: Optional[str] = None,
        queue_max: int = 10_000,
    ):
        """`queue_max`: maximum number of events that wait for `next`, 2 or more. `cancel_on_disconnect`: orders placed
        here are canceled `grace_ms` (0 to 60000) after the connection has ended, unless it is restored by then.
        `session`: that of an earlier process, to be continued (`Stream.session`).
        """
        if cancel_on_disconnect and client._signer is None:
            raise UsageError("cancel_on_disconnect: needs a client with a key")
        self._client = client
        self._cancel_on_disconnect = cancel_on_disconnect
        self._grace_ms = grace_ms
        self.session = session
        """Of a login with `cancel_on_disconnect`: keep it to go on after a restart of your program."""
        self.is_stale = False
        """The exchange says that it shows what it knew before (docs/reference/stream-extensions.md#stale)."""
        self._queue_max = queue_max
        self._queue: Deque[Tuple[Event, Optional[_Subscription]]] = deque()
        self._changed = threading.Condition(threading.RLock())
        self._subscriptions: Dict[Any, _Subscription] = {}
        self._rooms: List[str] = []
        self._outbox: Deque[Tuple[str, _Subscription]] = deque()
        self._awaited: Optional[Tuple[str, _Subscription]] = None
        self._send_not_before = 0.0
        self._waiting: Dict[int, _Waiter] = {}
        self._last_request = 0
        self._socket: Optional[WebSocket] = None
        self._is_ready = False
        self._is_closed = False
        self._failure: Optional[BourseError] = None
        self._reconnect_after_s: Optional[float] = None
        self._last_failure = ""
        self._followed: Optional[Account] = None
        self._thread = threading.Thread(target=self._run, name="bourse-stream", daemon=True)
        self._thread.start()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Stream {self._client._http.origin}, {'connected' if self._is_ready else 'not connected'}>"

    @property
    def is_connected(self) -> bool:
        """Connected, and logged in if the client has a key."""
        return self._is_ready

    def wait_until_connected(self, timeout_s: float = 30.0) -> None:
        """Raises the login's refusal, or `ConnectionFailedError` after the timeout."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._is_ready or self._failure or self._is_closed, timeout_s):
                origin, last = self._client._http.origin, self._last_failure
                raise ConnectionFailedError(f"no stream at {origin} within {timeout_s} s{last and f'; {last}'}")
            if self._failure is not None:
                raise self._failure

    def close(self) -> None:
        """Ends the connection, and with it the session of `cancel_on_disconnect`: its orders are canceled after the
        grace.
        """
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self._thread.join(10)

    # Reading

    def next(self, timeout_s: Optional[float] = None) -> Optional[Event]:
        """The next event; `None` after the timeout, or once the stream is closed. Raises the error that ended the
        stream permanently: the refusal of a login.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._failure or self._is_closed, timeout_s)
            if not self._queue:
                if self._failure is not None and not self._is_closed:
                    raise self._failure
                return None
            event, subscription = self._queue.popleft()
            self._keep(event, subscription)
            self._changed.notify_all()
        return event

    def __iter__(self) -> Iterator[Event]:
        while True:
            event = self.next()
            if event is None:
                return
            yield event

    def subscribe(
        self,
        channel: str,
        symbol: Optional[str] = None,
        *,
        levels: Optional[int] = None,
        interval_ms: Optional[int] = None,
    ) -> None:
        """Follows a channel: `book`, `trades`, `bookTicker`, `status`, `ticker`, `kline_1m` ... of a symbol, or `orders`,
        `fills`, `balances` of the account, which need a key. Refused subscriptions come as an `error` event.
        """
        self._follow(channel, symbol, levels, interval_ms, None)

    def unsubscribe(
        self,
        channel: str,
        symbol: Optional[str] = None,
        *,
        levels: Optional[int] = None,
        interval_ms: Optional[int] = None,
    ) -> None:
        """Ends the subscription of `subscribe` with the same arguments."""
        with self._changed:
            subscription = self._subscriptions.pop(_key(channel, symbol, _options(levels, interval_ms)), None)
            if subscription is None:
                raise UsageError(f"{channel} {symbol or ''}: not subscribed to".replace("  ", " "))
            self._queue_message("unsubscribe", subscription)

    def book(self, symbol: str) -> LocalBook:
        """The complete book of the symbol, maintained from now on, and loaded again after a gap or a wrong checksum."""
        with self._changed:
            known = self._subscriptions.get(_key("book", symbol, {}))
            if known is not None and known.book is not None:
                return known.book
            book = LocalBook(symbol)
            self._follow("book", symbol, None, None, book)
            return book

    def account(self) -> Account:
        """Open orders and balances, maintained from now on; fills come as events."""
        with self._changed:
            if self._followed is None:
                self._followed = Account()
                for channel in _PRIVATE:
                    self._follow(channel, None, None, None, None)
            return self._followed

    def join(self, symbol: str) -> None:
        """The common interface's events of a symbol, which do not name it: use one stream for each."""
        with self._changed:
            if symbol not in self._rooms:
                self._rooms.append(symbol)
            self._send_now(["join", symbol])

    def change_room(self, old_symbol: str, new_symbol: str) -> None:
        """Leaves one room, then joins the other."""
        with self._changed:
            self._rooms = [room for room in self._rooms if room not in (old_symbol, new_symbol)] + [new_symbol]
            self._send_now(["change_room", old_symbol, new_symbol])

    # Orders

    def place_order(self, symbol: str, side: str, type: str, *, recv_window: Optional[int] = None, **order: Any) -> Order:
        """Like `Bourse.place_order`, over this connection. After a lost answer the order is queried over HTTP. While the
        stream is not connected it waits, for at most the client's `patience_s`: an order over HTTP would not end with
        the connection.
        """
        fields = _order_fields(symbol, side, type, order)
        fields.setdefault("newOrderRespType", "RESULT")
        key = fields.setdefault("newClientOrderId", new_id())
        return cast(Order, self._settled("order.place", fields, [key], recv_window)["data"])

    def cancel_replace(
        self,
        symbol: str,
        side: str,
        type: str,
        *,
        cancel_replace_mode: str = "STOP_ON_FAILURE",
        cancel_id: Optional[str] = None,
        cancel_orig_client_order_id: Optional[str] = None,
        cancel_restrictions: Optional[str] = None,
        recv_window: Optional[int] = None,
        **order: Any,
    ) -> Json:
        """Like `Bourse.cancel_replace`."""
        fields = _order_fields(symbol, side, type, order)
        fields.setdefault("newOrderRespType", "RESULT")
        key = fields.setdefault("newClientOrderId", new_id())
        fields.update(
            _fields(
                cancelReplaceMode=cancel_replace_mode,
                cancelId=cancel_id,
                cancelOrigClientOrderId=cancel_orig_client_order_id,
                cancelRestrictions=cancel_restrictions,
            )
        )
        return cast(Json, self._settled("order.cancelReplace", fields, [key], recv_window)["data"])

    def batch(self, operations: Sequence[Mapping[str, Any]], *, recv_window: Optional[int] = None) -> List[Json]:
        """Like `Bourse.batch`."""
        text, ids = _operations(operations)
        return cast(List[Json], self._settled("order.batch", {"operations": text}, ids, recv_window)["data"])

    def cancel_order(
        self,
        id: Optional[str] = None,
        *,
        cancel_orig_client_order_id: Optional[str] = None,
        symbol: Optional[str] = None,
        new_order_resp_type: Optional[str] = None,
    ) -> Optional[Order]:
        """Like `Bourse.cancel_order`; over HTTP if the stream is not connected or loses the answer."""
        fields = _fields(
            id=id,
            cancelOrigClientOrderId=cancel_orig_client_order_id,
            symbol=symbol,
            newOrderRespType=new_order_resp_type,
        )
        return self._client._cancel(fields, lambda lost: self._or_http("order.cancel", "cancel_order", fields, lost))

    def amend_order(
        self, new_qty: Amount, *, order_id: Optional[str] = None, orig_client_order_id: Optional[str] = None
    ) -> Order:
        """Like `Bourse.amend_order`; over HTTP if the stream is not connected or loses the answer."""
        fields = _fields(orderId=order_id, origClientOrderId=orig_client_order_id, newQty=new_qty)
        return cast(Order, self._or_http("order.amend", "amend_order", fields)["data"])

    def cancel_all(self, symbol: Optional[str] = None) -> Json:
        """Like `Bourse.cancel_all`; over HTTP if the stream is not connected or loses the answer."""
        fields = _fields(scope="ACCOUNT" if symbol is None else "SYMBOL", symbol=symbol)
        return cast(Json, self._or_http("order.cancelAll", "cancel_all", fields)["data"])

    def countdown_cancel_all(
        self, countdown_time: int, *, symbol: Optional[str] = None, keep_stops: Optional[bool] = None
    ) -> Json:
        """Like `Bourse.countdown_cancel_all`; over HTTP if the stream is not connected or loses the answer."""
        fields = _fields(countdownTime=countdown_time, symbol=symbol, keepStops=keep_stops)
        return cast(Json, self._or_http("order.countdownCancelAll", "countdown_cancel_all", fields)["data"])

    def _settled(self, name: str, fields: Dict[str, str], ids: Sequence[str], recv_window: Optional[int]) -> Json:
        is_answer = _is_answer(name == "order.place", fields)
        command = _Command(name, lambda: self._ask(name, fields, recv_window), ids, is_answer=is_answer)
        return self._client._settled(command)

    def _or_http(self, name: str, endpoint: str, fields: Dict[str, str], lost: Optional[_Flag] = None) -> Json:
        try:
            return self._ask(name, fields, None)
        except _Lost:
            if lost is not None:
                lost.is_set = True
        except (_NotSent, RateLimitError, ClockError):
            # Over HTTP a wrong clock is measured again.
            pass
        return self._client._repeatable(endpoint, fields, lost)

    def _ask(self, name: str, fields: Dict[str, str], recv_window: Optional[int]) -> Json:
        """Sends one request. Raises `RefusedError`, `_NotSent` or `_Lost`."""
        window = self._client._recv_window if recv_window is None else recv_window
        timestamp = self._client.clock.now()
        waiter = _Waiter()
        with self._changed:
            if self._failure is not None:
                raise self._failure
            if self._socket is None or not self._is_ready:
                raise _NotSent("the stream is not connected")
            self._last_request += 1
            request = self._last_request
            connection = self._socket
            self._waiting[request] = waiter
        values = {**fields, "timestamp": str(timestamp), "recvWindow": str(window)}
        try:
            connection.send(_frame([name, request, values]))
            waiter.done.wait(self._client._http.timeout_s)
        except (OSError, ValueError):
            pass
        finally:
            with self._changed:
                self._waiting.pop(request, None)
        if waiter.answer is None:
            raise _Lost(f"{name}: no answer over the stream", timestamp + window)
        status, body = waiter.answer[2:4]
        if status == 200:
            return cast(Json, _decoded(body))
        beside = waiter.answer[4] if len(waiter.answer) > 4 else {}
        refused = _refusal(name, status, body, beside.get("retryAfter"), None)
        if refused.reason in _UNKNOWN_OUTCOME:
            raise _Lost(str(refused), timestamp + window)
        if refused.reason == "LOGIN_REQUIRED":
            raise _NotSent(str(refused))
        raise refused

    # The thread

    def _run(self) -> None:
        try:
            self._stay_connected()
        finally:
            # The connection of this thread, over which the clock is measured.
            self._client.close()

    def _stay_connected(self) -> None:
        pause = 0.25
        while not self._is_closed:
            reason, wait = "", _jittered(pause)
            began = time.monotonic()
            try:
                self._connect_and_serve()
            except BannedError as refused:
                reason, wait = str(refused), float(refused.retry_after or 120)
            except (RateLimitError, UnavailableError, MarketClosedError, ConnectionFailedError) as failure:
                reason = str(failure)
                wait = max(wait, float(getattr(failure, "retry_after", None) or 0))
            except ssl.SSLCertVerificationError as cause:
                origin = self._client._http.origin
                self._end(ConnectionFailedError(f"the certificate of {origin} is not trusted: {cause.verify_message}"))
                return
            except BourseError as refused:
                self._end(refused)
                return
            except _QueueFull as cause:
                _log.info("%s; the stream connects again when half of them are gone", cause)
                with self._changed:
                    self._changed.wait_for(lambda: self._is_closed or len(self._queue) <= self._queue_max // 2)
                continue
            except (_Reconnect, _NotSent, WebSocketClosed, OSError, ValueError) as cause:
                reason = f"{type(cause).__name__}: {cause}"
            self._last_failure = reason
            if self._is_closed:
                return
            if self._reconnect_after_s is not None:
                # So that not all clients reconnect at once.
                wait = self._reconnect_after_s + random.uniform(0, 1)
                self._reconnect_after_s = None
            _log.info("the stream is not connected (%s); trying again in %.2f s", reason, wait)
            with self._changed:
                self._changed.wait_for(lambda: self._is_closed, wait)
            pause = 0.25 if time.monotonic() - began > 5 else min(pause * 2, 10.0)

    def _end(self, failure: BourseError) -> None:
        with self._changed:
            self._failure = failure
            self._changed.notify_all()

    def _connect_and_serve(self) -> None:
        connection = WebSocket(self._client._http, "/ws")
        reason = "closed"
        try:
            answer = self._log_in(connection)
            with self._changed:
                self._begin(connection, answer)
            while not self._is_closed:
                with self._changed:
                    self._pump()
                text = connection.receive(0.25)
                if text is not None:
                    with self._changed:
                        self._take_frame(text)
        except (WebSocketClosed, OSError, _Reconnect) as cause:
            reason = str(cause)
            raise
        finally:
            connection.close()
            with self._changed:
                self._lose(reason)

    def _log_in(self, connection: WebSocket) -> Json:
        client = self._client
        if client._signer is None:
            return {}
        timestamp, nonce = client.clock.now(), secrets.token_hex(16)
        line = f"apiKey={client._api_key}&timestamp={timestamp}&recvWindow={client._recv_window}&nonce={nonce}"
        fields: Json = dict(pair.split("=") for pair in line.split("&"))
        fields["signature"] = client._signer.sign(f"login\n{line}")
        fields["frames"] = "many"
        if self._cancel_on_disconnect:
            fields["cancelOnDisconnect"] = True
            fields["graceMs"] = self._grace_ms
            if self.session is not None:
                fields["session"] = self.session
        connection.send(_frame(["login", fields]))
        text = connection.receive(client._http.timeout_s)
        if text is None:
            raise _Reconnect("no answer to the login")
        message = _read_json(text)
        if message[0] != "answer":
            raise _Reconnect(f"{message[0]} in place of the answer to the login")
        status, body = message[2:4]
        if status != 200:
            beside = message[4] if len(message) > 4 else {}
            self._login_refused(_refusal("login", status, body, beside.get("retryAfter"), None))
        return cast(Json, body["data"])

    def _login_refused(self, refused: RefusedError) -> None:
        if refused.reason == "UNKNOWN_SESSION" and self.session is not None:
            with self._changed:
                self.session = None
                self._post(Event("session_lost", None, {}), None)
            raise _Reconnect("the session has ended")
        if isinstance(refused, ClockError):
            self._client.clock.sync()
            raise _Reconnect(str(refused))
        raise refused

    def _begin(self, connection: WebSocket, login: Json) -> None:
        self._socket = connection
        self.session = login.get("session", self.session)
        self.is_stale = False
        self._awaited = None
        self._outbox.clear()
        self._send_not_before = 0.0
        for room in self._rooms:
            self._send_now(["join", room])
        for subscription in self._subscriptions.values():
            subscription.parts = []
            self._outbox.append(("subscribe", subscription))
        self._is_ready = True
        self._post(Event("connected", None, {"resumed": bool(login.get("resumed"))}), None)
        self._changed.notify_all()

    def _lose(self, reason: str) -> None:
        self._socket = None
        if self._is_ready:
            self._is_ready = False
            self._post(Event("disconnected", None, {"reason": reason}), None)
        waiting, self._waiting = self._waiting, {}
        for waiter in waiting.values():
            waiter.done.set()
        self._changed.notify_all()

    def _send_now(self, message: List[Any]) -> None:
        """Sends a message that is repeated automatically after a reconnect."""
        if self._socket is not None:
            try:
                self._socket.send(_frame(message))
            except (OSError, ValueError):
                pass

    def _follow(
        self,
        channel: str,
        symbol: Optional[str],
        levels: Optional[int],
        interval_ms: Optional[int],
        book: Optional[LocalBook],
    ) -> None:
        if channel in _PRIVATE and symbol is None:
            if self._client._signer is None:
                raise UsageError(f"{channel}: needs a client with a key")
        elif symbol is None:
            raise UsageError(f"{channel}: needs a symbol")
        with self._changed:
            subscription = _Subscription(channel, symbol, _options(levels, interval_ms), book)
            if subscription.key in self._subscriptions:
                if book is None:
                    return
                subscription = self._subscriptions[subscription.key]
                subscription.book = book
            self._subscriptions[subscription.key] = subscription
            self._queue_message("subscribe", subscription)

    def _queue_message(self, word: str, subscription: _Subscription) -> None:
        if self._socket is None or not self._is_ready:
            return
        self._outbox.append((word, subscription))
        self._pump()

    def _pump(self) -> None:
        """Subscribes one after the other: the answers come in order, and the exchange limits subscriptions per second."""
        if self._awaited is not None or not self._outbox or self._socket is None:
            return
        if time.monotonic() < self._send_not_before:
            return
        word, subscription = self._awaited = self._outbox.popleft()
        parameters = subscription.parameters()
        if word == "unsubscribe":
            parameters = {name: value for name, value in parameters.items() if name not in ("since", "journal")}
        self._send_now([word, parameters])

    def _take_frame(self, text: str) -> None:
        frame = _read_json(text)
        for message in frame if frame and isinstance(frame[0], list) else [frame]:
            self._take(message)

    def _take(self, message: List[Any]) -> None:
        name = message[0]
        payload: Any = message[1] if len(message) > 1 else None
        if name == "answer":
            waiter = self._waiting.get(message[1]) if isinstance(message[1], int) else None
            if waiter is not None:
                waiter.answer = message
                waiter.done.set()
        elif name in ("subscribed", "unsubscribed", "error"):
            self._take_answer(name, payload)
        elif name == "loggedOut":
            self._post(Event(name, None, payload), None)
            refused = _refusal("the stream", 401, payload, message[2] if len(message) > 2 else None, None)
            if refused.reason == "SESSION_TAKEN_OVER":
                raise refused
            raise _Reconnect(str(refused))
        elif name in ("shutdown", "stale", "live"):
            self.is_stale = name == "stale"
            if name == "shutdown":
                self._reconnect_after_s = payload["reconnectAfterMs"] / 1000
            self._post(Event(name, None, payload), None)
        elif isinstance(payload, dict) and "seq" in payload:
            self._take_channel(name, payload)
        else:
            self._post(Event(name, None, _room_payload(name, payload)), None)

    def _take_channel(self, name: str, payload: Json) -> None:
        options: Dict[str, int] = {name: payload[name] for name in ("levels", "intervalMs") if name in payload}
        subscription = self._subscriptions.get(_key(name, payload.get("symbol"), options))
        if subscription is None:
            return
        if subscription.symbol is not None:
            self._post(Event(name, subscription.symbol, _decoded(payload)), subscription)
            return
        follows = subscription.received is None or "prevSeq" not in payload or subscription.parts
        if not follows and subscription.received and payload["prevSeq"] != subscription.received[1]:
            raise _Reconnect(f"{name}: a message is missing after {subscription.received[1]}")
        whole = subscription.whole(payload)
        if whole is not None:
            self._post(Event(name, None, _decoded(whole)), subscription)
            subscription.received = (whole["journal"], whole["seq"])

    def _take_answer(self, name: str, payload: Json) -> None:
        if name == "unsubscribed" and payload.get("status") is False:
            subscription = self._subscriptions.get(_key(payload["channel"], None, {}))
            if subscription is not None:
                self._refused(subscription, payload)
            return
        awaited, self._awaited = self._awaited, None
        if name == "subscribed" and awaited is not None and awaited[1].received is not None:
            self._post(Event("resumed", None, {"channel": awaited[1].channel}), awaited[1])
        if name == "error":
            if awaited is None or awaited[0] != "subscribe":
                self._post(Event("error", None, payload), None)
            else:
                self._refused(awaited[1], payload)
        self._pump()

    def _refused(self, subscription: _Subscription, payload: Json) -> None:
        """A subscription was refused, or has ended."""
        reason = payload.get("reason")
        if reason == "LOGIN_REQUIRED":
            raise _Reconnect("the login has ended")
        if reason in ("UNKNOWN_JOURNAL", "SINCE_TOO_OLD"):
            subscription.received = None
            self._post(Event("reset", None, {"channel": subscription.channel, "reason": reason}), None)
        elif REASONS.get(str(reason)) not in (RateLimitError, UnavailableError) or reason == "TOO_MANY_SUBSCRIPTIONS":
            self._subscriptions.pop(subscription.key, None)
            self._post(Event("error", subscription.symbol, {**payload, "channel": subscription.channel}), None)
            return
        subscription.parts = []
        self._send_not_before = time.monotonic() + 1
        self._outbox.append(("subscribe", subscription))

    def _post(self, event: Event, subscription: Optional[_Subscription]) -> None:
        if len(self._queue) >= self._queue_max and event.channel != "disconnected":
            raise _QueueFull(f"{self._queue_max} events wait for next()")
        self._queue.append((event, subscription))
        self._changed.notify_all()

    def _keep(self, event: Event, subscription: Optional[_Subscription]) -> None:
        """Updates books and the account by an event."""
        if event.channel == "disconnected":
            for each in self._subscriptions.values():
                if each.book is not None:
                    each.book.lose()
            if self._followed is not None:
                self._followed.lose()
        elif subscription is None:
            return
        elif subscription.book is not None:
            if not subscription.book.apply(event.data):
                _log.warning("the book of %s is out of step; reading it again", subscription.symbol)
                self._queue_message("subscribe", subscription)
        elif self._followed is not None and event.channel == "resumed":
            self._followed.resume(event.data["channel"])
        elif self._followed is not None and event.channel in Account.CHANNELS and subscription.symbol is None:
            self._followed.apply(event.channel, event.data)


def _options(levels: Optional[int], interval_ms: Optional[int]) -> Dict[str, int]:
    options = {"levels": levels, "intervalMs": interval_ms}
    return {name: value for name, value in options.items() if value is not None}


def _frame(message: List[Any]) -> str:
    return json.dumps(message, separators=(",", ":"))


def _room_payload(name: str, payload: Any) -> Any:
    """The payload of a room's event, with `Decimal` amounts and prices."""
    if name == "orders":
        return {side: {Decimal(price): Decimal(quantity) for price, quantity in payload[side].items()} for side in payload}
    if name in ("buy_order_update", "sell_order_update"):
        return {Decimal(price): Decimal(quantity) for price, quantity in payload.items()}
    return _decoded(payload)
