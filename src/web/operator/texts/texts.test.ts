import { afterEach, expect, test } from 'bun:test'
import { ADMIN_COMMANDS, SECTIONS } from '../../../cli/admin/sections.ts'
import { formFields } from '../state/command-form.ts'
import { helpOf, labelOf, questionOf, summaryOf, titleOf } from './command-texts.ts'
import { named, say, showLanguage, shown } from './texts.ts'
import { COMMANDS } from './turkish/commands.ts'
import { PAGE } from './turkish/page.ts'

afterEach(() => showLanguage('en'))

const marks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([mark]) => mark).toSorted()
const unique = (texts: readonly string[]) => [...new Set(texts)].toSorted()

test('a Turkish row of the operator’s page uses all arguments of its English text', () => {
  const lacking = Object.entries(PAGE).filter(
    ([english, turkish]) => String(unique(marks(turkish))) !== String(unique(marks(english))),
  )
  expect(lacking).toEqual([])
  expect(Object.values(PAGE).filter((text) => text.trim() === '' || text !== text.trim())).toEqual([])
})

test('every command of operators has a title, and in Turkish a sentence and its question too', () => {
  const commands = ADMIN_COMMANDS.map(({ operation }) => operation).toSorted()
  expect(ADMIN_COMMANDS.filter(({ name, title }) => title === name)).toEqual([])
  expect(Object.keys(COMMANDS.titles).toSorted()).toEqual(commands)
  expect(Object.keys(COMMANDS.summaries).toSorted()).toEqual(commands)
  const asking = ADMIN_COMMANDS.filter(({ confirm }) => confirm !== undefined)
  expect(Object.keys(COMMANDS.questions).toSorted()).toEqual(
    asking.map(({ operation }) => operation).toSorted(),
  )
})

test('every field of a command has a label and a help text in Turkish', () => {
  const fields = ADMIN_COMMANDS.flatMap((command) =>
    formFields(command).map(({ field }) => ({ operation: command.operation, field })),
  )
  const unlabelled = fields.filter(({ field }) => COMMANDS.labels[field] === undefined)
  const unhelped = fields.filter(
    ({ operation, field }) =>
      (COMMANDS.helps[`${operation}.${field}`] ?? COMMANDS.helps[field]) === undefined,
  )
  expect([unlabelled, unhelped]).toEqual([[], []])
})

test('a form leaves out the part of a help text that is true in a terminal only', () => {
  expect(helpOf('account/set', { field: 'feeTier', help: "name of the tier; '' for none" })).toBe(
    'name of the tier',
  )
  const helps = ADMIN_COMMANDS.flatMap((command) =>
    formFields(command).map((field) => helpOf(command.operation, field)),
  )
  expect(helps.filter((help) => help.includes("''"))).toEqual([])
})

test('every section of commands has a title in Turkish', () => {
  const untitled = SECTIONS.map(({ title }) => title).filter((title) => !Object.hasOwn(PAGE, title))
  expect(untitled).toEqual([])
})

test('texts are in the language of the page, and answers of the node stay as they are', async () => {
  const [credit] = ADMIN_COMMANDS.filter(({ operation }) => operation === 'money/credit')
  const [payout] = ADMIN_COMMANDS.filter(({ operation }) => operation === 'house/payout')
  if (credit === undefined || payout === undefined) throw new Error('there are no such commands')
  const amount = { field: 'amount', help: 'how much' }
  const read = () => [
    ...[
      say('{time} ago', { time: '5 s' }),
      shown('Overview'),
      shown('BTC/USDT'),
      named('stop NOTHING', 'none'),
    ],
    ...[titleOf(credit), labelOf('feeTier'), labelOf('isDeposit'), helpOf('money/credit', amount)],
    ...[questionOf(payout, { amount: '5', asset: 'BTC' }), summaryOf(credit) === credit.summary],
  ]
  expect(read()).toEqual([
    ...['5 s ago', 'Overview', 'BTC/USDT', 'none', 'Credit', 'Fee tier', 'Deposits', 'how much'],
    ...[payout.confirm?.({ amount: '5', asset: 'BTC' }), true],
  ])
  await showLanguage('tr')
  expect(read()).toEqual([
    ...['5 s önce', 'Genel bakış', 'BTC/USDT', 'none', 'Alacaklandır', 'Komisyon kademesi', 'Yatırma'],
    ...['ondalık sayı olarak miktar', 'Borsanın komisyonundan 5 BTC ödensin mi?', false],
  ])
})
