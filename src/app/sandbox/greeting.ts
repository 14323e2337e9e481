/** The greeting of the sandbox: addresses, keys, and an order to paste. */
import path from 'node:path'
import { CREDENTIALS_FILE, type Credentials, type SandboxFile } from './credentials.ts'
import { SANDBOX_FUNDING, SANDBOX_SYMBOLS } from './market.ts'

export type Greeting = {
  readonly sandbox: SandboxFile
  readonly adminUrl: string
  readonly dataDirectory: string
  /** Accounts whose keys were created by this run: shown only now. */
  readonly newAccounts: readonly Credentials[]
}

export function greeting({ sandbox, adminUrl, dataDirectory, newAccounts }: Greeting): string {
  const { baseUrl, streamUrl, pageUrl, binance } = sandbox
  const file = path.resolve(dataDirectory, CREDENTIALS_FILE)
  const symbols = SANDBOX_SYMBOLS.map(({ base, quote }) => `${base}/${quote}`).join(', ')
  const funding = SANDBOX_FUNDING.map(({ asset, amount }) => `${amount} ${asset}`).join(', ')
  return [
    'Bourse sandbox: a complete test exchange',
    '',
    `  Page     ${pageUrl} (open in a browser; the address contains the code of this start)`,
    `  Docs     ${baseUrl}/docs (reference of the interface, as pages and as OpenAPI)`,
    `  HTTP     ${baseUrl}/api/v3`,
    `  Stream   ${streamUrl} (Socket.IO, or a plain WebSocket)`,
    ...(binance.url === undefined
      ? []
      : [
          `  Binance  ${binance.url} (for clients of Binance's spot interface; lines to paste: npx bourse sandbox clients --data ${shellWord(dataDirectory)})`,
        ]),
    `  Admin    ${adminUrl} (npx bourse admin --data ${shellWord(dataDirectory)} --help)`,
    `  Emails   npx bourse admin --data ${shellWord(dataDirectory)} mail list (a sandbox sends none; this shows them, with the links for those who sign up)`,
    `  Data     ${path.resolve(dataDirectory)} (kept between runs; bourse sandbox reset starts over)`,
    `  Symbols  ${symbols}`,
    `  Money    ${sandbox.accounts.map(({ name }) => name).join(' and ')} started with ${funding} each`,
    '',
    ...keyLines(newAccounts, file),
    'Place a first signed order: paste this into another terminal.',
    '',
    orderSnippet(baseUrl, file),
    '',
  ].join('\n')
}

function keyLines(newAccounts: readonly Credentials[], file: string): string[] {
  if (newAccounts.length === 0) return [`The keys of the accounts are in ${file}`, '']
  const lines = newAccounts.flatMap(({ name, apiKey, secret }) => [
    `  ${name}`,
    `    API key  ${apiKey}`,
    `    secret   ${secret}`,
  ])
  return [`Keys (shown only once; stored in ${file}):`, ...lines, '']
}

/**
 * Lines for any POSIX shell with openssl and curl: they compute time and signature whenever pasted, and read
 * the key from the file, so that they work on every run and leave no secret in a shell's history.
 */
function orderSnippet(baseUrl: string, file: string): string {
  const read = (field: string): string =>
    `$(sed -n 's/.*"${field}": "\\(.*\\)".*/\\1/p' "$CREDENTIALS" | head -n 1)`
  return [
    `CREDENTIALS=${shellWord(file)}`,
    `API_KEY="${read('apiKey')}"`,
    `SECRET="${read('secret')}"`,
    'BODY="symbol=BTC/USDT&side=BUY&type=LIMIT&quantity=0.01&price=50000&timestamp=$(date +%s)000"',
    'SIGNATURE="$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed \'s/.* //\')"',
    `curl -sS -w '\\n' ${shellWord(`${baseUrl}/api/v3/order`)} -H "X-Apikey: $API_KEY" -H "X-Signature: $SIGNATURE" --data "$BODY"`,
  ].join('\n')
}

/** One word of a POSIX shell, whatever it contains. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
