/**
 * The program that a customer runs: one page, no dependency, and it shares nothing with the code that makes the proof
 * (docs/reports.md#check-a-proof). Tests run it as it is written here.
 */
export const CHECK_PROGRAM = String.raw`// Is what you had in the totals that the exchange has published?
//
//   node check.mjs root.json YOUR-FILE.json [ROOT-HASH]
//
// root.json is the same for everybody: compare its rootHash with the one that was published, or give that one as ROOT-HASH.
// YOUR-FILE.json is yours alone. The name in it must be one that nobody else goes by, the amounts what you had at that moment.
// Exit code: 0 yes, 1 no, 2 not understood.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const must = (isSo, sentence) => {
  if (!isSo) throw new Error(sentence)
}
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()
const byte = (value) => Buffer.from([value])

function bytesOf(hex, what) {
  must(/^[0-9a-f]{64}$/.test(hex), what + ' must be 64 hexadecimal digits, found ' + hex)
  return Buffer.from(hex, 'hex')
}

// An amount as a whole number of the asset's smallest units: 1.50 with 2 decimals is 150. None is negative.
function unitsOf(text, decimals, what) {
  const form = new RegExp('^(0|[1-9][0-9]*)' + (decimals > 0 ? '[.][0-9]{' + decimals + '}' : '') + '$')
  must(form.test(text), what + ' must be an amount of ' + decimals + ' decimals that is not negative, found ' + text)
  const units = BigInt(text.replace('.', ''))
  must(units < 2n ** 127n, what + ' is too large: ' + text)
  return units
}

// A sum as it is hashed: 16 bytes.
const sumBytes = (units) => Buffer.from(units.toString(16).padStart(32, '0'), 'hex')

// The root hash covers everything that root.json says.
function checkRoot(root) {
  const lines = ['bourse liabilities 1', root.journal, root.command, root.time, root.journalHash]
  const codes = new Set()
  for (const { asset, decimals, total, outside, leaves, root: hash } of root.assets) {
    must(/^[A-Z0-9]{1,16}$/.test(asset) && !codes.has(asset), 'root.json must name each asset once, found ' + asset)
    codes.add(asset)
    must(Number.isInteger(decimals) && decimals >= 0 && decimals <= 18, asset + ': found ' + decimals + ' decimals')
    const owed = unitsOf(total, decimals, asset + ', total')
    must(outside === (owed === 0n ? total : '-' + total), asset + ': the outside world has ' + outside + ', the total is ' + total)
    must(Number.isInteger(Math.log2(leaves)), asset + ': the leaves must be a power of two, found ' + leaves)
    bytesOf(hash, asset + ', root')
    lines.push([asset, decimals, total, outside, leaves, hash].join(' '))
  }
  const found = sha256(byte(2), Buffer.from(lines.join('\n') + '\n')).toString('hex')
  must(found === root.rootHash, 'what root.json says comes to the root hash ' + found + ', it names ' + root.rootHash)
}

// From the leaf to the root: each step commits to the hashes and to the sums of both sides.
function checkBalance(account, { asset, amount, salt, index, path }, committed) {
  const { decimals, total, leaves, root } = committed
  let sum = unitsOf(amount, decimals, asset + ', your amount')
  const code = Buffer.from(asset)
  let hash = sha256(byte(0), bytesOf(salt, asset + ', salt'), sumBytes(sum), byte(code.length), code, Buffer.from(account))
  must(Number.isInteger(index) && index >= 0 && index < leaves, asset + ': there is no leaf ' + index + ' of ' + leaves)
  must(path.length === Math.log2(leaves), asset + ': the path of ' + leaves + ' leaves cannot have ' + path.length + ' steps')
  for (const [step, sibling] of path.entries()) {
    const other = [bytesOf(sibling.hash, asset + ', hash ' + step), unitsOf(sibling.sum, decimals, asset + ', sum ' + step)]
    const [left, right] = Math.floor(index / 2 ** step) % 2 === 0 ? [[hash, sum], other] : [other, [hash, sum]]
    hash = sha256(byte(1), left[0], sumBytes(left[1]), right[0], sumBytes(right[1]))
    sum += other[1]
    must(sum < 2n ** 127n, asset + ': the sums up to step ' + step + ' are too large')
  }
  must(sum === unitsOf(total, decimals, asset), asset + ': your path comes to another total than ' + total)
  must(hash.toString('hex') === root, asset + ': your path ends at ' + hash.toString('hex') + ', the root is ' + root)
}

const [rootFile, accountFile, published] = process.argv.slice(2)
if (accountFile === undefined) {
  console.error('Usage: node check.mjs root.json YOUR-FILE.json [ROOT-HASH]')
  process.exit(2)
}
try {
  const root = JSON.parse(readFileSync(rootFile, 'utf8'))
  const { account, rootHash, balances } = JSON.parse(readFileSync(accountFile, 'utf8'))
  checkRoot(root)
  must(published === undefined || published === root.rootHash, 'root.json has the root hash ' + root.rootHash + ', published was ' + published)
  must(rootHash === root.rootHash, 'your file is for the root hash ' + rootHash + ', root.json has ' + root.rootHash)
  must(typeof account === 'string' && account !== '', 'your file must name an account')
  must(new Set(balances.map(({ asset }) => asset)).size === balances.length, 'your file must name each asset once')
  for (const balance of balances) {
    const committed = root.assets.find(({ asset }) => asset === balance.asset)
    must(committed !== undefined, 'root.json has no ' + balance.asset)
    checkBalance(account, balance, committed)
    console.log(balance.amount + ' ' + balance.asset + ' of ' + account + ' is in the total of ' + committed.total)
  }
  if (balances.length === 0) console.log(account + ' had nothing')
  console.log('Yes: after command ' + root.command + ', ' + root.time + ', root hash ' + root.rootHash)
} catch (error) {
  console.log('No: ' + error.message)
  process.exitCode = 1
}
`
