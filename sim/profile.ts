/**
 * The profile of a run, drawn from its seed: its faults and their frequency, how busy and how hostile its
 * clients are, how small its limits. Runs differ on purpose: a run with everything at once would explore
 * nothing in depth.
 */
import type { CommandKind, EngineCommand } from '../src/core/commands/command.ts'
import type { Random } from './world/random.ts'

/** Faults that occur by themselves, each after a while. */
export const FAULT_KINDS = [
  'kill',
  'powerCut',
  'lostFlush',
  'diskFull',
  'brokenDisk',
  'clockJump',
  'slowFollower',
  'slowNetwork',
  'restart',
  'flippedBit',
  'poison',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** The kinds of commands that clients send: all but the engine's own. */
export type ClientKind = Exclude<CommandKind, EngineCommand['kind']>

export type Profile = {
  /** Number of commands that clients send before the faults stop. */
  readonly commands: number
  readonly clients: number
  readonly streamReaders: number
  readonly channelReaders: number
  /** Relative frequency of each kind. */
  readonly weights: Readonly<Record<ClientKind, number>>
  /** Share of commands that are wrong on purpose. */
  readonly hostility: number
  /** Share of requests that only read. */
  readonly reads: number
  /** Relative frequency of each fault; 0 means never. */
  readonly faults: Readonly<Record<FaultKind, number>>
  /** Mean time between two faults. */
  readonly faultEveryMs: number
  /** Probability that a write or sync ends the process, and that it fails. */
  readonly ioCrash: number
  readonly ioFailure: number
  /** Largest number of each in a run: with a disk that never works, no progress is possible. */
  readonly ioFaultsMax: number
  /** Probability that a message of a client is lost, or is duplicated. */
  readonly lostMessage: number
  readonly doubledMessage: number
  readonly messageDelayMs: number
  readonly diskDelayMs: number
  readonly batchRequestsMax: number
  readonly inboxRequestsMax: number
  readonly snapshotCommands: number
  readonly logBytesMax: number
  /**
   * Maximum size of the batches that the engine keeps for its follower, in bytes; so small that it often has
   * to read its journal.
   */
  readonly recentBytesMax: number
}

const WEIGHTS: Readonly<Record<ClientKind, number>> = {
  PlaceOrder: 60,
  CancelOrder: 12,
  CancelClientOrder: 4,
  AmendOrder: 6,
  ReplaceOrder: 6,
  CancelAllOrders: 0.6,
  SetCountdown: 0.8,
  OpenSession: 2.4,
  DisconnectSession: 1.5,
  PlaceList: 9,
  CancelList: 0.6,
  CancelClientList: 0.6,
  MarkTime: 1,
  Credit: 6,
  Debit: 3,
  MoveBetweenBuckets: 4,
  ListAsset: 0.6,
  SetAssetFlags: 1.5,
  ListSymbol: 0.6,
  SetSymbolState: 2,
  SetSymbolRates: 1.5,
  CreateAccount: 1,
  CreateApiKey: 1,
  SetApiKeyEnabled: 1,
  SetRulesVersion: 0.5,
  SetAccountRestrictions: 1,
  ChangeRestrictions: 1,
  OpenCustomer: 0.6,
  RaiseCustomerEpoch: 0.8,
  ForgetCustomer: 0.3,
  CloseAccount: 0.4,
  SetAccountTerms: 0.6,
  CancelAnyOrder: 0.8,
  SetAccountProfile: 0.4,
  SetSpecialTerms: 0.6,
  CancelOrders: 0.9,
  SetAssetTerms: 1.8,
  SetSymbolTerms: 0.9,
  SetSymbolIncrements: 0.4,
  SetPhase: 0.3,
  PlanPhases: 0.6,
  SetFeeTier: 0.8,
  HoldWithdrawal: 2.2,
  CompleteWithdrawal: 3.6,
  CancelWithdrawal: 0.5,
  AskWithdrawal: 4,
  RetractWithdrawal: 0.8,
  SetOwnAddress: 1.5,
  SetAccountAddress: 1.5,
  SetWithdrawalTerms: 0.5,
  HandleWithdrawal: 2.5,
  MoveSavings: 2.4,
  PayOutCommission: 1.8,
  SetApiKeyTerms: 0.3,
  SetApiKeyStrict: 0.3,
  RotateApiKey: 0.4,
  RevokeApiKey: 0.3,
  AddApiKey: 0.5,
  AddAdminToken: 0.3,
  RevokeAdminToken: 0.2,
  SetRole: 0.5,
  AddToken: 0.4,
  SetTokenTerms: 0.2,
  SetRoleLimit: 0.4,
  SetApprovalsNeeded: 0.2,
  Approve: 10,
  Reject: 0.7,
  BanAddress: 0.5,
  LiftBan: 0.2,
  ResealSecret: 0.3,
  AcceptClock: 0.2,
  NoteChange: 0.2,
}

export function drawProfile(random: Random, commands: number): Profile {
  const weights = { ...WEIGHTS }
  for (const kind of Object.keys(weights) as ClientKind[]) {
    weights[kind] *= random.chance(0.2) ? 4 : random.chance(0.2) ? 0.25 : 1
  }
  const faults = {} as Record<FaultKind, number>
  for (const kind of FAULT_KINDS) faults[kind] = random.chance(0.55) ? random.between(1, 4) : 0
  const isHarsh = random.chance(0.3)
  return {
    commands,
    clients: random.between(3, 10),
    streamReaders: random.between(1, 3),
    channelReaders: 1,
    weights,
    hostility: random.pick([0.02, 0.05, 0.1, 0.3]),
    reads: random.pick([0.05, 0.15]),
    faults,
    faultEveryMs: random.pick([100, 200, 500, 2_000]),
    ioCrash: isHarsh ? random.pick([0.002, 0.01]) : 0,
    ioFailure: isHarsh ? random.pick([0, 0.002]) : 0,
    ioFaultsMax: 10 + Math.ceil(commands / 20),
    lostMessage: random.pick([0, 0.01, 0.1]),
    doubledMessage: random.pick([0, 0.01, 0.1]),
    messageDelayMs: random.pick([1, 5, 40]),
    diskDelayMs: random.pick([1, 3, 10]),
    batchRequestsMax: random.pick([1, 3, 16, 4096]),
    inboxRequestsMax: random.pick([6, 65_536]),
    snapshotCommands: random.pick([20, 100, 400, 2_000]),
    logBytesMax: random.pick([1_000, 8_000, 100_000]),
    recentBytesMax: random.pick([0, 5_000, 100_000]),
  }
}

/** A run without faults, in which only its script acts. */
export const CALM_PROFILE: Profile = {
  commands: 0,
  clients: 1,
  streamReaders: 1,
  channelReaders: 0,
  weights: WEIGHTS,
  hostility: 0,
  reads: 0,
  faults: Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>,
  faultEveryMs: 1,
  ioCrash: 0,
  ioFailure: 0,
  ioFaultsMax: 0,
  lostMessage: 0,
  doubledMessage: 0,
  messageDelayMs: 1,
  diskDelayMs: 1,
  batchRequestsMax: 4096,
  inboxRequestsMax: 65_536,
  snapshotCommands: 500_000,
  logBytesMax: 100_000,
  recentBytesMax: 100_000,
}
