"""TLS: `BOURSE_TEST_DATA` is the data directory of a sandbox with the self-signed certificate `BOURSE_TEST_CERTIFICATE`."""

import os
import ssl
import unittest

import bourse
from bourse import Bourse

from .test_sandbox import BTC, DATA, LIMIT_S


class Tls(unittest.TestCase):
    def setUp(self):
        # The name in the certificate differs from the address used by a test.
        self.context = ssl.create_default_context(cafile=os.environ["BOURSE_TEST_CERTIFICATE"])
        self.context.check_hostname = False
        self.alice = Bourse.from_sandbox(DATA, "alice", tls=self.context)
        self.addCleanup(self.alice.close)

    def test_requests_are_signed_and_answered(self):
        order = self.alice.place_order(BTC, "BUY", "LIMIT", quantity="0.01", price="100")
        self.alice.cancel_order(order["id"])
        self.assertEqual(self.alice.order(order_id=order["id"])["status"], "CANCELED")

    def test_orders_go_out_while_messages_come_in(self):
        with self.alice.stream() as stream:
            stream.wait_until_connected(LIMIT_S)
            book, account = stream.book(BTC), stream.account()
            placed = [
                stream.place_order(BTC, "BUY", "LIMIT", quantity="0.01", price=str(100 + number))["id"]
                for number in range(50)
            ]
            while not (book.is_live and set(account.orders) == set(placed) and len(book.bids()) == len(placed)):
                self.assertIsNotNone(stream.next(LIMIT_S))
            stream.cancel_all(BTC)

    def test_a_certificate_that_is_not_trusted_is_refused_at_once(self):
        stranger = Bourse.from_sandbox(DATA, "alice")
        with self.assertRaisesRegex(bourse.ConnectionFailedError, "certificate"):
            stranger.ping()
        stream = stranger.stream()
        self.addCleanup(stream.close)
        with self.assertRaisesRegex(bourse.ConnectionFailedError, "certificate"):
            stream.wait_until_connected(LIMIT_S)


if __name__ == "__main__":
    unittest.main()
