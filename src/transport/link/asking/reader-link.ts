/** A gateway's end of a link to a historian. */
import type { HistoryPort } from '../../../engine/port/history-questions.ts'
import { runtimeScheduler } from '../../../storage/scheduler.ts'
import type { Seq } from '../../../units/quantities.ts'
import { historyClient } from '../../thread/history-client.ts'
import type { LinkFrame } from '../protocol/frames.ts'
import { type ConnectionOptions, LinkConnection, type OpenConnection, unexpected } from './link-connection.ts'
import { QuestionChannel } from './question-channel.ts'

export type ReaderLinkOptions = ConnectionOptions & { readonly answerTimeoutMs?: number }

const QUESTIONS_MAX = 10_000
const ANSWER_TIMEOUT_MS = 5_000

export type ReaderLink = Omit<OpenConnection, 'confirmed'> & {
  readonly history: HistoryPort
  /** The last command that the historian has reported to be in its history; 0 before the first report. */
  readonly reached: () => Seq
}

/** Connects and greets. Rejects with `LinkFault`. */
export async function openReaderLink(options: ReaderLinkOptions): Promise<ReaderLink> {
  const connection = new LinkConnection('reader', options)
  const questions = new QuestionChannel(connection)
  const { scheduler = runtimeScheduler, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options
  const history = historyClient(questions, { inFlightMax: QUESTIONS_MAX, answerTimeoutMs, scheduler })
  let reached = 0 as Seq
  await connection.open({
    take: (frame: LinkFrame) => {
      if (frame.kind === 'question') questions.arrive(frame.message)
      else if (frame.kind === 'reached') reached = frame.seq
      else throw unexpected(frame)
    },
    ended: () => history.close('ENGINE_DOWN'),
  })
  const { welcome, lost } = connection
  return { welcome, lost, history, reached: () => reached, close: () => connection.close() }
}
