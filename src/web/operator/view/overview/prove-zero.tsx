/** The proof that every asset sums to zero, made anew when somebody asks for it: nothing that the node has added up is relied on. */
import { useSignal } from '@preact/signals'
import type { PageSession } from '../../state/page-session.ts'
import { timeText } from '../../state/words.ts'
import { type AssetSum, type ZeroProof, zeroProof } from '../../state/zero-proof.ts'
import { lackOf } from '../parts/asked.ts'
import { LongTable } from '../parts/long-table.tsx'
import { Problem, State } from '../parts/parts.tsx'

type Outcome =
  | { readonly kind: 'none' | 'under way' }
  | { readonly kind: 'proof'; readonly proof: ZeroProof }
  | { readonly kind: 'problem'; readonly reason: string; readonly message: string }

export function ProveZero({ session }: { readonly session: PageSession }) {
  const outcome = useSignal<Outcome>({ kind: 'none' })
  const lack = lackOf(session, 'report/show')
  const found = outcome.value
  const prove = async () => {
    if (lack !== undefined || outcome.value.kind === 'under way') return
    outcome.value = { kind: 'under way' }
    const answer = await session.ask('report/show', { report: 'balances', format: 'json' })
    outcome.value = answer.ok ? outcomeOf(String(answer.result)) : { kind: 'problem', ...answer.error }
  }
  return (
    <div class="prove">
      <p>
        <button
          type="button"
          aria-disabled={lack !== undefined || found.kind === 'under way'}
          title={lack?.message}
          onClick={() => void prove()}
        >
          {found.kind === 'under way' ? 'Adding up …' : 'Add all accounts up anew'}
        </button>{' '}
        <span class="help">
          A process beside the node replays the journal; this page adds up every balance it finds.
        </span>
      </p>
      {found.kind === 'problem' && <Problem {...found} />}
      {found.kind === 'proof' && <Proved proof={found.proof} />}
    </div>
  )
}

function outcomeOf(report: string): Outcome {
  const proof = zeroProof(report)
  return typeof proof === 'string'
    ? { kind: 'problem', reason: 'NO_PROOF', message: proof }
    : { kind: 'proof', proof }
}

function Proved({ proof: { sums, command, time, journalHash, stateHash } }: { readonly proof: ZeroProof }) {
  const off = sums.filter(({ isZero }) => !isZero)
  return (
    <>
      <p role="status">
        {off.length === 0 ? (
          <State word="proved: every asset sums to zero" kind="good" />
        ) : (
          <State word={`${off.map(({ asset }) => asset).join(', ')} do not sum to zero`} kind="bad" />
        )}{' '}
        after command {command.toLocaleString('en-US')}, {timeText(time)} UTC.
      </p>
      <LongTable<AssetSum>
        label="Sums found anew"
        rows={sums}
        keyOf={({ asset }) => asset}
        none="No asset has any money yet."
        columns={[
          { title: 'Asset', cell: ({ asset }) => asset },
          { title: 'Accounts', isFigure: true, cell: ({ accounts }) => accounts.toLocaleString('en-US') },
          { title: 'They have', isFigure: true, cell: ({ inside }) => inside },
          { title: 'Outside world', isFigure: true, cell: ({ outside }) => outside },
          {
            title: 'Sum',
            isFigure: true,
            cell: ({ sum, isZero }) => <State word={sum} kind={isZero ? 'good' : 'bad'} />,
          },
        ]}
      />
      <p class="help hashes">
        Journal up to there: <code>{journalHash}</code>. State: <code>{stateHash}</code>. bourse replay finds
        the same.
      </p>
    </>
  )
}
