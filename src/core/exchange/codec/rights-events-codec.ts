/** Events of what operators may do, as bytes. The rules of these formats stand in `event-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { unreachable } from '../../../units/invariant.ts'
import type {
  AdminTokenChanged,
  ApprovalGiven,
  ApprovalsNeededChanged,
  RoleChanged,
  RoleLimitChanged,
} from '../event.ts'
import * as backOffice from './back-office-codec.ts'
import * as rights from './rights-codec.ts'

/** In place of `AdminTokenChanged` of a token that has more than the form of that can say. */
export const TOKEN_WITH_TERMS = 61
export const RIGHTS_EVENT_CODES = {
  ApprovalGiven: 62,
  RoleChanged: 63,
  RoleLimitChanged: 64,
  ApprovalsNeededChanged: 65,
} as const

type RightsEvent = ApprovalGiven | RoleChanged | RoleLimitChanged | ApprovalsNeededChanged

export function writeRightsEvent(w: ByteWriter, event: RightsEvent): void {
  switch (event.kind) {
    case 'ApprovalGiven':
      backOffice.writeApproval(w, event.approval)
      rights.writeApprovers(w, event.approval)
      w.text(event.by)
      break
    case 'RoleChanged':
      rights.writeOwnRole(w, event.role)
      break
    case 'RoleLimitChanged':
      rights.writeRoleLimit(w, event.limit)
      break
    case 'ApprovalsNeededChanged':
      rights.writeApprovalsNeeded(w, event.approvals)
      break
    default:
      unreachable(event)
  }
}

/** Undefined: the code is of no such event. Throws `BytesFault`. */
export function readRightsEvent(code: number, r: ByteReader): RightsEvent | AdminTokenChanged | undefined {
  switch (code) {
    case TOKEN_WITH_TERMS: {
      const plain = backOffice.readAdminToken(r)
      return { kind: 'AdminTokenChanged', token: rights.readTokenTerms(r, () => plain) }
    }
    case RIGHTS_EVENT_CODES.ApprovalGiven: {
      const asked = backOffice.readApproval(r)
      return { kind: 'ApprovalGiven', approval: rights.readApprovers(r, () => asked), by: r.text() }
    }
    case RIGHTS_EVENT_CODES.RoleChanged:
      return { kind: 'RoleChanged', role: rights.readOwnRole(r) }
    case RIGHTS_EVENT_CODES.RoleLimitChanged:
      return { kind: 'RoleLimitChanged', limit: rights.readRoleLimit(r) }
    case RIGHTS_EVENT_CODES.ApprovalsNeededChanged:
      return { kind: 'ApprovalsNeededChanged', approvals: rights.readApprovalsNeeded(r) }
    default:
      return undefined
  }
}
