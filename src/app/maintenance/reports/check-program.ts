/**
 * The program that a customer runs: no dependency, and it shares nothing with the code that creates the proof
 * (docs/reports.md#check-a-proof). Tests run exactly this text.
 */
export const CHECK_PROGRAM = String.raw`// Checks that your balances are included in the totals that the exchange published. Usage: node check.mjs root.json YOUR-FILE.json [ROOT-HASH]
// root.json is the same for everyone: compare its rootHash with the published root hash, or pass the published
// one as ROOT-HASH. YOUR-FILE.json is for you alone. The account name in it must be used by no one else, and the
// amounts must be those you had at the time in root.json. Exit code: 0 yes, 1 no, 2 wrong arguments.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

// Control and invisible characters are printed as escapes; text from a file is also quoted.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu
const escaped = (half) => '\\u' + half.charCodeAt(0).toString(16).padStart(4, '0')
const plain = (text) => String(text).replace(HIDDEN, (one) => one.replace(/[^]/g, escaped))
const inQuotes = (text) => plain(JSON.stringify(text))
const shown = (value) => plain((JSON.stringify(value) ?? 'nothing').slice(0, 300))
const must = (isSo, sentence) => { if (!isSo) throw new Error(sentence) }
const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()
const bytes = (hex) => Buffer.from(hex, 'hex')
// The fields of each file, each with its form. Other fields are refused: they could be read in two ways.
const [HASH, AMOUNT] = [/^[0-9a-f]{64}$/, /^(0|[1-9][0-9]{0,39})([.][0-9]{1,18})?$/]
const whole = (least, most) => (value) => Number.isSafeInteger(value) && !Object.is(value, -0) && value >= least && value <= most
const isPower = (value) => whole(1, 2 ** 40)(value) && Number.isInteger(Math.log2(value))
const isTime = (value) => typeof value === 'string' && Date.parse(value) >= 0 && new Date(value).toISOString().replace('Z', '+00:00') === value
const isName = (value) => typeof value === 'string' && value !== '' && value.length <= 200 && !/\p{Cs}/u.test(value)
const ASSET = { asset: /^[A-Z0-9]{1,16}$/, decimals: whole(0, 18), total: AMOUNT, outside: /^-?[0-9.]+$/, leaves: isPower, root: HASH }
const HEAD = { format: whole(1, 1), rootHash: HASH, journal: HASH, command: whole(1, 2 ** 53 - 1), time: isTime, journalHash: HASH }
const BALANCE = { asset: ASSET.asset, amount: /^(?!0([.]0+)?$)(0|[1-9][0-9]{0,39})([.][0-9]{1,18})?$/, salt: HASH, index: whole(0, 2 ** 40), path: [{ hash: HASH, sum: AMOUNT }] }
const FILE = { format: whole(1, 1), account: isName, rootHash: HASH, balances: [BALANCE] }
function fit(value, form, what) {
  const holds = form instanceof RegExp ? (text) => typeof text === 'string' && form.test(text) : form
  if (typeof holds === 'function') return must(holds(value), what + ' cannot be ' + shown(value))
  must(typeof value === 'object' && value !== null && Array.isArray(value) === Array.isArray(form), what + ' cannot be ' + shown(value))
  const [names, found] = [Object.keys(Array.isArray(form) ? value : form), Object.keys(value)]
  must(names.slice().sort().join() === found.sort().join(), what + ' must have ' + names.join(', ') + ', found ' + shown(found))
  for (const name of names) fit(value[name], Array.isArray(form) ? form[0] : form[name], what + ', ' + name)
  if (form[0]?.asset) must(new Set(value.map(({ asset }) => asset)).size === value.length, what + ' must list each asset once')
}
// Also refused: a duplicate field, a number in another notation, and bytes that are not UTF-8.
function read(file, form, what) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  const value = JSON.parse(text)
  const bare = text.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, (_, quoted) => (quoted ? JSON.stringify(JSON.parse(quoted)) : ''))
  must(bare === JSON.stringify(value), what + ' must be plain JSON that has each field once')
  fit(value, form, what)
  return value
}
// An amount as a whole number of the asset's smallest units: 1.50 with 2 decimals is 150. Never negative.
function unitsOf(text, decimals, what) {
  must((text.split('.')[1] ?? '').length === decimals, what + ' must have ' + decimals + ' decimals, found ' + text)
  const units = BigInt(text.replace('.', ''))
  must(units < 2n ** 127n, what + ' is too large: ' + text)
  return units
}
const sumBytes = (units) => bytes(units.toString(16).padStart(32, '0')) // The hashed form: 16 bytes.
// The root hash covers everything in root.json.
function checkRoot(root) {
  const lines = ['bourse liabilities 1', root.journal, root.command, root.time, root.journalHash]
  for (const { asset, decimals, total, outside, leaves, root: hash } of root.assets) {
    const isNone = unitsOf(total, decimals, asset + ', total') === 0n
    must(outside === (isNone ? total : '-' + total), asset + ': the outside world has ' + outside + ', the total is ' + total)
    lines.push([asset, decimals, total, outside, leaves, hash].join(' '))
  }
  const found = sha256(bytes('02'), Buffer.from(lines.join('\n') + '\n')).toString('hex')
  must(found === root.rootHash, 'the content of root.json has the root hash ' + found + ', but it states ' + root.rootHash)
}
// From the leaf to the root: each step commits to the hashes and to the sums of both sides.
function checkBalance(account, { asset, amount, salt, index, path }, committed) {
  must(committed !== undefined, 'root.json has no ' + asset)
  const { decimals, total, leaves, root } = committed
  let sum = unitsOf(amount, decimals, asset + ', your amount')
  let hash = sha256(bytes('00'), bytes(salt), sumBytes(sum), Buffer.from([asset.length]), Buffer.from(asset + account))
  must(index < leaves && 2 ** path.length === leaves, asset + ': a leaf ' + index + ' of ' + leaves + ' cannot have a path of ' + path.length + ' steps')
  for (const [step, sibling] of path.entries()) {
    const other = [bytes(sibling.hash), unitsOf(sibling.sum, decimals, asset + ', sum ' + step)]
    const [left, right] = Math.floor(index / 2 ** step) % 2 === 0 ? [[hash, sum], other] : [other, [hash, sum]]
    hash = sha256(bytes('01'), left[0], sumBytes(left[1]), right[0], sumBytes(right[1]))
    sum += other[1]
    must(sum < 2n ** 127n, asset + ': the sums up to step ' + step + ' are too large')
  }
  must(sum === unitsOf(total, decimals, asset), asset + ': your path adds up to another total than ' + total)
  must(hash.toString('hex') === root, asset + ': your path ends at ' + hash.toString('hex') + ', the root is ' + root)
  return amount + ' ' + asset + ' of ' + inQuotes(account) + ' is in the total of ' + total
}
const [rootFile, accountFile, published, more] = process.argv.slice(2)
if (accountFile === undefined || more !== undefined) {
  console.error('Usage: node check.mjs root.json YOUR-FILE.json [ROOT-HASH]')
  process.exit(2)
}
try { // Nothing is printed before everything is verified.
  const root = read(rootFile, { ...HEAD, assets: [ASSET] }, 'root.json')
  const { account, rootHash, balances } = read(accountFile, FILE, 'your file')
  checkRoot(root)
  must(published === undefined || published === root.rootHash, 'root.json has the root hash ' + root.rootHash + ', the published one is ' + plain(String(published).slice(0, 300)))
  must(rootHash === root.rootHash, 'your file is for the root hash ' + rootHash + ', root.json has ' + root.rootHash)
  const lines = balances.map((one) => checkBalance(account, one, root.assets.find(({ asset }) => asset === one.asset)))
  console.log([...(balances.length > 0 ? lines : [inQuotes(account) + ' had nothing']), 'Yes: after command ' + root.command + ', ' + root.time + ', root hash ' + root.rootHash].join('\n'))
} catch (error) {
  console.log('No: ' + plain(String(error.message).slice(0, 1000)))
  process.exitCode = 1
}
`
