/** Trading and market data without the page. Text between backticks is code. */

export const GUIDE = {
  title: 'Trade with curl',
  key: 'Get a key.',
  keyText:
    'In a sandbox, the keys of `alice` and `bob` are in `sandbox.json` in its data directory: `data/sandbox`, unless it was started with `--data`. On any other node, the operator gives you a key.',
  sign: 'Sign.',
  signText:
    'The signature is the HMAC-SHA256, in hex, of the raw query string followed by the raw body, exactly as sent, computed with the secret. Send it in `X-Signature` and the key in `X-Apikey`. The parameter `timestamp` is the current time in milliseconds; it may be at most 5 seconds old.',
  send: 'Send.',
  sendText: 'This places a LIMIT order to buy:',
  watch: 'Watch from a program',
  watchText:
    'The book, trades, prices and candles of this page come from the public stream. Connect by WebSocket (or Socket.IO) and send a message to receive them too:',
  address: 'Address',
  message: 'Message',
  more: 'Everything else, with search:',
  reference: 'API reference',
  copy: 'Copy',
  copied: 'Copied',
  notAllowed: 'Not allowed',
} as const
