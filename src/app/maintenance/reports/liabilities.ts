/**
 * `bourse liabilities`: the exchange's liabilities at a moment as Merkle sum trees, with a file for each
 * account that proves to its owner that the balances are included in the totals.
 */
import { type Arguments, UsageError } from '../../../cli/arguments.ts'
import { facts, table } from '../../../cli/table.ts'
import { isoTime } from '../../../contract/time.ts'
import type { Asset } from '../../../core/registry/records.ts'
import { hexOf } from '../../../engine/port/journal.ts'
import { AssetTree, type OwedBalance, type SaltOf } from '../../../engine/reports/asset-tree.ts'
import { publishedRoot } from '../../../engine/reports/commitment.ts'
import { totalOf } from '../../../engine/reports/statement.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { fixedDecimal } from '../../../units/decimal.ts'
import { type AccountId, type AssetId, OUTSIDE_ACCOUNT } from '../../../units/ids.ts'
import { meant } from '../../../units/nearest.ts'
import { bigintOf } from '../../../units/whole.ts'
import { requireEmpty } from '../backup/exchange-copy.ts'
import { type Moment, momentOf } from '../backup/moment.ts'
import { auditedOf } from '../verification/data.ts'
import { type AuditCommand, type AuditHost, CannotRunError } from '../verification/host.ts'
import { count, Progress } from '../verification/progress.ts'
import { type Replayed, replayAudited } from '../verification/replayed.ts'
import { accountJson, rootJson, writeProof } from './proof-files.ts'
import { requireSeed, saltsOf, seedIn } from './seed.ts'
import { subjectOf } from './subject.ts'

const HELP = `bourse liabilities: prove to each customer that the published total of liabilities includes their balances

Usage: bourse liabilities prove   --data DIR|--config FILE --seed FILE --out DIR2 [--at MOMENT] [--asset A,B] [--json]
       bourse liabilities root    --data DIR|--config FILE --seed FILE [--at MOMENT] [--asset A,B]
       bourse liabilities account --data DIR|--config FILE --seed FILE --account NAME [--at MOMENT] [--asset A,B]

Replays the journal up to the moment and builds a Merkle sum tree of all balances in each asset, of the customers and of the
house. Works on a stopped or a running node and on a backup, and changes nothing. The same journal, moment and seed give the
same bytes. root prints the content of root.json, account the content of one account's file; neither creates a file.

DIR2/root.json            publish: totals, the matching balances of the outside world, root hash
DIR2/check.mjs            publish: checks a customer's file; node check.mjs root.json 3.json
DIR2/accounts/N.json      send to one customer only: their balances, and the proof that the totals include them
DIR2/accounts.csv         keep private: the account of each file

Options:
  --data DIR       data directory [DATA_DIR]
  --config FILE    instead of --data: cluster file; the journal is read from its database
  --seed FILE      file with 64 secret hexadecimal digits, readable only by its owner; prove creates it if it does not exist
  --out DIR2       prove: directory for the files; must be new or empty
  --account NAME   account: the account
  --at MOMENT      after this command, or at a time such as 2026-01-31T23:59:59Z; default: the end of the journal
  --asset A,B      only these assets; default, or with all: every asset
  --json           prove: print the content of root.json instead of a table
  --help           show this help

Exit code: 0 done, 1 the journal is damaged before that moment (no proof was made), 2 the command line is invalid or
the command could not be carried out.`

export const LIABILITIES: AuditCommand = {
  name: 'liabilities',
  help: HELP,
  subjects: ['prove', 'root', 'account'],
  forms: {
    data: 'value',
    config: 'value',
    seed: 'value',
    out: 'value',
    account: 'value',
    at: 'value',
    asset: 'value',
    json: 'flag',
  },
  run: async (given, host) => {
    const { subject, rest } = subjectOf(given, LIABILITIES)
    const until = momentOf('--at', rest.options.get('at'))
    const seedFile = needed(rest, subject, 'seed', 'FILE with the secret seed of the salts')
    const wanted = wantedOf(subject, rest)
    const audited = auditedOf(rest, host)
    if (wanted.kind === 'FILES') requireEmpty(wanted.out, '--out')
    else requireSeed(seedFile)
    const progress = new Progress(host, 'replaying')
    const replayed = await replayAudited({
      ...{ audited, host, progress, until },
      mustReach: true,
      take: () => {},
    })
    if (replayed.exitCode !== 0) return replayed.exitCode
    requireReached(replayed, until)
    const assets = chosenAssets(replayed, rest.options.get('asset'))
    const { seed, isNew } = seedIn(seedFile)
    if (isNew) host.printError(`${seedFile} was created: keep it, and keep it secret`)
    prove({ replayed, assets, seed, wanted }, host)
    return 0
  },
}

/** The requested output. */
type Wanted =
  | { readonly kind: 'FILES'; readonly out: string; readonly isJson: boolean }
  | { readonly kind: 'ROOT' }
  | { readonly kind: 'ACCOUNT'; readonly account: string }

function wantedOf(subject: string, given: Arguments): Wanted {
  const { options } = given
  const refuse = (names: readonly string[]): void => {
    const name = names.find((one) => options.has(one))
    if (name !== undefined) throw new UsageError(`liabilities ${subject} takes no --${name}`)
  }
  switch (subject) {
    case 'root':
      refuse(['out', 'json', 'account'])
      return { kind: 'ROOT' }
    case 'account':
      refuse(['out', 'json'])
      return { kind: 'ACCOUNT', account: needed(given, subject, 'account', 'NAME') }
    default:
      refuse(['account'])
      return { kind: 'FILES', out: needed(given, subject, 'out', 'DIR2'), isJson: options.has('json') }
  }
}

function needed({ options }: Arguments, subject: string, name: string, what: string): string {
  const value = options.get(name)
  if (typeof value === 'string' && value !== '') return value
  throw new UsageError(`liabilities ${subject} needs --${name} ${what}`)
}

function requireReached({ exchange }: Replayed, until: Moment | undefined): void {
  if (exchange.seq === 0) throw new CannotRunError('the journal has no command up to that moment')
  if (until?.kind === 'seq' && until.seq > exchange.seq)
    throw new CannotRunError(`there is no command ${until.seq}: the journal ends at ${exchange.seq}`)
}

/** In the order of listing. */
function chosenAssets({ exchange, names }: Replayed, text: string | true | undefined): readonly Asset[] {
  const listed = exchange.assets()
  if (typeof text !== 'string' || text === 'all') return listed
  const codes = text.split(',').map((code) => code.trim())
  for (const code of codes) {
    if (names.assetByCode(code) !== undefined) continue
    const known = listed.map((asset) => asset.code)
    throw new UsageError(`there is no asset ${code} after command ${exchange.seq}${meant(code, known)}`)
  }
  return listed.filter(({ code }) => codes.includes(code))
}

type Proof = {
  readonly replayed: Replayed
  readonly assets: readonly Asset[]
  readonly seed: Uint8Array
  readonly wanted: Wanted
}

function prove({ replayed, assets, seed, wanted }: Proof, host: AuditHost): void {
  const { exchange, names, tail, firstHash = tail.hash } = replayed
  const journal = hexOf(firstHash)
  const trees = treesOf(replayed, assets, saltsOf(seed, journal, exchange.seq))
  const moment = { journal, command: exchange.seq, time: isoTime(exchange.time) }
  const root = publishedRoot(
    {
      ...moment,
      journalHash: hexOf(tail.hash),
      assets: trees.map((tree) => committed(tree, replayed)),
    },
    sha256,
  )
  if (wanted.kind !== 'FILES') {
    const json =
      wanted.kind === 'ROOT' ? rootJson(root) : accountJson(root, trees, ownerOf(wanted.account, replayed))
    // `print` adds the line feed.
    host.print(json.trimEnd())
    return
  }
  const { out, isJson } = wanted
  const accounts = [...names.accountIds()]
    .filter((id) => id !== OUTSIDE_ACCOUNT)
    .map((id) => ({ id, name: names.account(id) }))
  const files = writeProof({ directory: out, root, trees, accounts })
  if (isJson) host.print(JSON.stringify(root, undefined, 2))
  else host.print(textOf(root, out, files))
}

/** The account of the file; the outside world has no file. */
function ownerOf(
  name: string,
  { names, exchange }: Replayed,
): { readonly id: AccountId; readonly name: string } {
  const id = names.accountId(name)
  if (id !== undefined && id !== OUTSIDE_ACCOUNT) return { id, name }
  const known = names.accountNames()
  throw new UsageError(
    `--account: there is no account ${name} after command ${exchange.seq}${meant(name, known)}`,
  )
}

function committed({ asset, root, leaves }: AssetTree, { exchange }: Replayed) {
  const outside = bigintOf(totalOf(exchange.balance(OUTSIDE_ACCOUNT, asset.id)))
  if (root.sum + outside !== 0n) {
    const text = (units: bigint): string => `${fixedDecimal(units, asset.fraction)} ${asset.code}`
    throw new CannotRunError(
      `the accounts have ${text(root.sum)}, the outside world ${text(outside)}: run bourse verify`,
    )
  }
  return { asset: asset.code, decimals: asset.fraction, root, leaves, outside }
}

/** Memory: about 200 bytes for each balance above 0. */
function treesOf({ exchange, names }: Replayed, assets: readonly Asset[], saltOf: SaltOf): AssetTree[] {
  const owedByAsset = new Map<AssetId, OwedBalance[]>(assets.map(({ id }) => [id, []]))
  for (const accountId of names.accountIds()) {
    if (accountId === OUTSIDE_ACCOUNT) continue
    for (const { assetId, ...buckets } of exchange.balances(accountId)) {
      const units = bigintOf(totalOf(buckets))
      const name = names.account(accountId)
      if (units < 0n) throw new CannotRunError(`${name} has a negative balance: run bourse verify`)
      if (units > 0n) owedByAsset.get(assetId)?.push({ accountId, name, units })
    }
  }
  return assets.map((asset) => new AssetTree(asset, owedByAsset.get(asset.id) ?? [], saltOf, sha256))
}

function textOf(root: ReturnType<typeof publishedRoot>, out: string, files: number): string {
  const head = facts([
    ['proof', out],
    ['root hash', root.rootHash],
    ['command', count(root.command)],
    ['time', root.time],
    ['files of accounts', count(files)],
  ])
  const rows = root.assets.map(({ asset, total, outside, leaves }) => [asset, total, outside, count(leaves)])
  return `${head}\n\n${table(['ASSET', 'TOTAL OWED', 'OUTSIDE WORLD', 'LEAVES'], rows, 'No asset is listed.')}`
}
