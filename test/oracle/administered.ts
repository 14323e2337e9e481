/** What the oracle of operators' commands works on: the records themselves, whoever keeps them. */
import type { Command, CommandOf } from '../../src/core/exchange/command.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import type { Account, AddressBan, AdminToken, ApiKey, FeeTier } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'

export type Administered = {
  /** Of the command that is carried out. */
  readonly time: TimeMs
  /** By id. */
  readonly accounts: Account[]
  /** In the order in which they were made, as all that follow. */
  readonly apiKeys: ApiKey[]
  readonly feeTiers: FeeTier[]
  readonly tokens: AdminToken[]
  readonly bans: AddressBan[]
  /** Whether the account has neither money nor open orders. */
  isEmpty(accountId: AccountId): boolean
}

export const ADMINISTERED_KINDS = [
  'CreateAccount',
  'SetAccountRestrictions',
  'SetAccountTerms',
  'CloseAccount',
  'SetFeeTier',
  'CreateApiKey',
  'SetApiKeyEnabled',
  'SetApiKeyTerms',
  'SetApiKeyStrict',
  'RotateApiKey',
  'RevokeApiKey',
  'ResealSecret',
  'AddAdminToken',
  'RevokeAdminToken',
  'BanAddress',
  'LiftBan',
  'AcceptClock',
] as const satisfies readonly Command['kind'][]

/** The commands that the oracle knows. */
export type AdministeredCommand = CommandOf<(typeof ADMINISTERED_KINDS)[number]>

export function isAdministered(command: Command): command is AdministeredCommand {
  return (ADMINISTERED_KINDS as readonly string[]).includes(command.kind)
}

export type Of<Kind extends AdministeredCommand['kind']> = CommandOf<Kind>
export type Emit = (event: ExchangeEvent) => void

/** Of every text of an operator, in UTF-16 units. */
const TEXT_LONGEST = 200

export function isText(text: string, shortest: number): boolean {
  return text.length >= shortest && text.length <= TEXT_LONGEST && text.isWellFormed()
}

/** Leaves out what is undefined. */
export function stripped<Record extends object>(record: Record): Record {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Record
}

/** Replaces the record that has the same name, or adds one. */
export function put<Record>(records: Record[], isSame: (record: Record) => boolean, record: Record): void {
  const index = records.findIndex(isSame)
  if (index < 0) records.push(record)
  else records[index] = record
}
