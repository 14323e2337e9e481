/**
 * `npm run bench -- <question> [options]`: one program per question; without one, all of them.
 */
const QUESTIONS: Readonly<Record<string, () => Promise<{ run(args: readonly string[]): Promise<unknown> }>>> =
  {
    book: () => import('./book.ts'),
    history: () => import('./history.ts'),
    core: () => import('./core.ts'),
    memory: () => import('./memory.ts'),
    recovery: () => import('./recovery.ts'),
    'order-to-ack': () => import('./order-to-ack.ts'),
    stream: () => import('./stream.ts'),
  }

const [question, ...options] = Bun.argv.slice(2)
const known = Object.keys(QUESTIONS)
if (question !== undefined && !known.includes(question)) {
  console.error(`bench: expected one of ${known.join(', ')}, found ${question}`)
  process.exit(2)
}
for (const name of question === undefined ? known : [question]) {
  console.log(`== ${name}`)
  await (await QUESTIONS[name]?.())?.run(options)
}

export {}
