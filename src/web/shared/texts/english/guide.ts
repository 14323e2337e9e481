/** Trading and market data without the page. Text between backticks is code. */

export const GUIDE = {
  title: 'Trade with curl',
  key: 'Get a key.',
  keyText:
    'A sandbox keeps those of `alice` and `bob` in `sandbox.json` in its data directory: `data/sandbox`, unless it was started with `--data`. Any other node’s operator gives you one.',
  sign: 'Sign.',
  signText:
    'HMAC-SHA256 with the secret over the raw query string followed by the raw body, exactly as sent, in hex. It goes into `X-Signature`, the key into `X-Apikey`. The parameter `timestamp` is the time in milliseconds and may be 5 seconds old.',
  send: 'Send.',
  sendText: 'This places a LIMIT order to buy:',
  watch: 'Watch from a program',
  watchText:
    'The book, trades, prices and candles of this page come from the public stream. Connect a WebSocket (or Socket.IO), send a message, and you see them too:',
  address: 'Address',
  message: 'Message',
  more: 'Everything else, with search:',
  reference: 'API reference',
  copy: 'Copy',
  copied: 'Copied',
  notAllowed: 'Not allowed',
} as const
