/**
 * The lines that connect clients of Binance's spot interface to a sandbox, unmodified: only addresses and
 * keys are set. They read both from the sandbox's file, so that they work after every start and leave no
 * secret in a program. Each line is run by a test (test/binance/clients.slow.test.ts).
 */

export type ClientLines = {
  /** The name of the package on npm. */
  readonly name: string
  /** JavaScript, for `node` or the head of a program; `file`: the absolute path of the sandbox's file. */
  readonly lines: (file: string) => readonly string[]
}

export const BINANCE_CLIENTS: readonly ClientLines[] = [
  {
    name: 'ccxt',
    lines: (file) => [
      ...keysFrom(file),
      "const ccxt = require('ccxt')",
      "const exchange = new ccxt.pro.binance({ apiKey, secret, options: { fetchMarkets: { types: ['spot'] } } })",
      'const { api } = exchange.urls',
      "Object.assign(api, { public: url + '/api/v3', private: url + '/api/v3', sapi: url + '/sapi/v1' })",
      "Object.assign(api.ws, { spot: streamUrl + '/ws', 'ws-api': { spot: streamUrl + '/ws-api/v3' } })",
      'const loaded = exchange.loadHttpProxyAgent().then(() => exchange.loadMarkets())',
      'loaded.then((markets) => console.log(Object.keys(markets)))',
    ],
  },
  {
    name: '@binance/spot',
    lines: (file) => [
      ...keysFrom(file),
      "const { Spot } = require('@binance/spot')",
      'const keys = { apiKey, apiSecret: secret }',
      'const client = new Spot({',
      '  configurationRestAPI: { ...keys, basePath: url },',
      "  configurationWebsocketAPI: { ...keys, wsURL: streamUrl + '/ws-api/v3' },",
      '  configurationWebsocketStreams: { wsURL: streamUrl },',
      '})',
      'const loaded = client.restAPI.exchangeInfo().then((answer) => answer.data())',
      'loaded.then(({ symbols }) => console.log(symbols.map(({ symbol }) => symbol)))',
    ],
  },
  {
    name: 'binance',
    lines: (file) => [
      ...keysFrom(file),
      "const { MainClient, WebsocketAPIClient, WebsocketClient } = require('binance')",
      'const keys = { api_key: apiKey, api_secret: secret }',
      'const client = new MainClient({ ...keys, baseUrl: url })',
      "const streams = new WebsocketClient({ ...keys, wsUrl: streamUrl + '/ws' })",
      "const requests = new WebsocketAPIClient({ ...keys, wsUrl: streamUrl + '/ws-api/v3' })",
      'const loaded = client.getExchangeInfo()',
      'loaded.then(({ symbols }) => console.log(symbols.map(({ symbol }) => symbol)))',
    ],
  },
  {
    name: 'binance-api-node',
    lines: (file) => [
      ...keysFrom(file),
      "const { default: Binance } = require('binance-api-node')",
      "const addresses = { httpBase: url, wsBase: streamUrl + '/ws', wsApi: streamUrl + '/ws-api/v3' }",
      'const client = Binance({ apiKey, apiSecret: secret, ...addresses })',
      'const loaded = client.exchangeInfo()',
      'loaded.then(({ symbols }) => console.log(symbols.map(({ symbol }) => symbol)))',
    ],
  },
]

/** Reads the keys of alice, the first account. */
function keysFrom(file: string): readonly string[] {
  return [
    `const { url, streamUrl, accounts } = require(${javaScriptText(file)}).binance`,
    'const [{ apiKey, secret }] = accounts // alice; the second is bob',
  ]
}

function javaScriptText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
