/** Saves a history as a file, shows the progress, and stops it on request. */
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { ExportProgress } from './csv-export.ts'
import { FILE_ROWS_MAX } from './csv-export.ts'
import type { History } from './history.ts'

export function CsvBar<Row, Filter>({ history }: { readonly history: History<Row, Filter> }) {
  const { csv: words } = TEXTS.account
  const { csv } = history
  const progress = csv.progress.value
  return (
    <p class="history-csv">
      <button
        type="button"
        disabled={csv.isRunning || history.problem.value !== undefined}
        onClick={() => void history.save()}
      >
        {words.save}
      </button>
      {csv.isRunning && (
        <button type="button" onClick={() => csv.cancel()}>
          {words.cancel}
        </button>
      )}
      {progress.kind === 'saved' && progress.hasRest && (
        <button type="button" onClick={() => void csv.goOn()}>
          {words.goOn}
        </button>
      )}
      <output class={progress.kind === 'failed' ? 'trade-problem' : undefined}>
        {progressText(progress)}
      </output>
    </p>
  )
}

function progressText(progress: ExportProgress): string {
  const { csv: words } = TEXTS.account
  switch (progress.kind) {
    case 'idle':
      return ''
    case 'reading':
      return words.reading(progress.rows)
    case 'waiting':
      return words.waiting(progress.rows, progress.seconds)
    case 'saved':
      return progress.hasRest ? words.cut(progress.rows, FILE_ROWS_MAX) : words.saved(progress.rows)
    case 'canceled':
      return words.canceled
    case 'failed':
      return words.failed(progress.message)
  }
}
