/**
 * Applies an operator's command. Written from the docstrings of the commands and of the records and from the
 * reference, not from the core.
 */
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import {
  addToken,
  banAddress,
  changeAccount,
  changeCustomer,
  createAccount,
  liftBan,
  revokeToken,
  setFeeTier,
} from './accounts.ts'
import type { Administered, AdministeredCommand, Emit } from './administered.ts'
import { addKey, changeKey, createKey, resealSecret, setKeyEnabled } from './api-keys.ts'
import { approve, reject } from './approvals.ts'
import { changeHarness } from './asked-withdrawals.ts'
import { changeAsset, changeSymbol, listAsset, listSymbol, setRulesVersion } from './listings.ts'
import { changePhases } from './phases.ts'
import { changeRights } from './roles.ts'
import { setProfile, setSpecialTerms } from './support.ts'
import { transfer } from './transfers.ts'
import { completeWithdrawal, holdWithdrawal, refuse } from './withdrawals.ts'

/** Changes the records, passes the events to `emit` and returns the answer; a refusal changes nothing. */
export function administer(state: Administered, command: AdministeredCommand, emit: Emit): Reply {
  switch (command.kind) {
    case 'ListAsset':
      return listAsset(state, command, emit)
    case 'SetAssetFlags':
    case 'SetAssetTerms':
      return changeAsset(state, command, emit)
    case 'ListSymbol':
      return listSymbol(state, command, emit)
    case 'SetSymbolState':
    case 'SetSymbolRates':
    case 'SetSymbolTerms':
    case 'SetSymbolIncrements':
      return changeSymbol(state, command, emit)
    case 'SetPhase':
    case 'PlanPhases':
      return changePhases(state, command, emit)
    case 'SetRulesVersion':
      return setRulesVersion(state, command, emit)
    case 'RaiseCustomerEpoch':
    case 'ForgetCustomer':
      return changeCustomer(state, command, emit)
    case 'OpenCustomer':
    case 'CreateAccount':
      return createAccount(state, command, emit)
    case 'SetAccountRestrictions':
    case 'ChangeRestrictions':
    case 'SetAccountTerms':
    case 'CloseAccount':
      return changeAccount(state, command, emit)
    case 'SetAccountProfile':
      return setProfile(state, command, emit)
    case 'SetSpecialTerms':
      return setSpecialTerms(state, command, emit)
    case 'SetFeeTier':
      return setFeeTier(state, command, emit)
    case 'CreateApiKey':
      return createKey(state, command, emit)
    case 'AddApiKey':
      return addKey(state, command, emit)
    case 'SetApiKeyEnabled':
      return setKeyEnabled(state, command, emit)
    case 'SetApiKeyTerms':
    case 'SetApiKeyStrict':
    case 'RotateApiKey':
    case 'RevokeApiKey':
      return changeKey(state, command, emit)
    case 'ResealSecret':
      return resealSecret(state, command, emit)
    case 'AddAdminToken':
      return addToken(state, command, emit)
    case 'SetRole':
    case 'AddToken':
    case 'SetTokenTerms':
    case 'SetRoleLimit':
    case 'SetApprovalsNeeded':
      return changeRights(state, command, emit)
    case 'RevokeAdminToken':
      return revokeToken(state, command, emit)
    case 'BanAddress':
      return banAddress(state, command, emit)
    case 'LiftBan':
      return liftBan(state, command, emit)
    case 'Credit':
    case 'Debit':
    case 'MoveBetweenBuckets':
    case 'MoveSavings':
    case 'PayOutCommission':
      return transfer(state, command, emit)
    case 'HoldWithdrawal':
      return holdWithdrawal(state, command, emit)
    case 'CompleteWithdrawal':
      return completeWithdrawal(state, command, emit)
    case 'CancelWithdrawal':
      return refuse(state, command.operator, command.reference, '', emit)
    case 'SetAccountAddress':
    case 'SetWithdrawalTerms':
    case 'HandleWithdrawal':
      return changeHarness(state, command, emit)
    case 'Approve':
      return approve(state, command, emit)
    case 'Reject':
      return reject(state, command, emit)
    case 'AcceptClock':
      // The command only states the time.
      return DONE
    case 'NoteChange': {
      const lengths = [command.subject, command.change].map((text) => text.length)
      return lengths.every((length) => length > 0 && length <= 200) ? DONE : refused('INVALID_COMMAND')
    }
  }
}
