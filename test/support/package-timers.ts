/**
 * Counts the timers that a package set, or was about to set, and that have neither fired nor been cleared, so
 * that a test can assert that none is left.
 */
type TimerFunctions = Pick<typeof globalThis, 'setTimeout' | 'setInterval' | 'clearTimeout' | 'clearInterval'>

export class PackageTimers {
  readonly #pending = new Set<unknown>()
  readonly #real: TimerFunctions
  readonly #packageName: string

  constructor(packageName: string) {
    this.#packageName = packageName
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
    this.#real = { setTimeout, setInterval, clearTimeout, clearInterval }
    const set = (make: typeof setTimeout, isOnce: boolean) =>
      ((task: (...args: unknown[]) => void, ...rest: [number?, ...unknown[]]) => {
        if (!this.#isOfPackage()) return make(task, ...rest)
        const timer = make(
          (...args: unknown[]) => {
            if (isOnce) this.#pending.delete(timer)
            task(...args)
          },
          ...rest,
        )
        const refresh = timer.refresh.bind(timer)
        timer.refresh = () => {
          this.#pending.add(timer)
          return refresh()
        }
        this.#pending.add(timer)
        return timer
      }) as typeof setTimeout
    const clear = (timer: unknown) => {
      this.#pending.delete(timer)
      clearTimeout(timer as Timer)
    }
    Object.assign(globalThis, {
      setTimeout: set(setTimeout, true),
      setInterval: set(setInterval as typeof setTimeout, false),
      clearTimeout: clear,
      clearInterval: clear,
    })
  }

  get pending(): number {
    return this.#pending.size
  }

  /** Restores the functions of the process. */
  restore(): void {
    Object.assign(globalThis, this.#real)
  }

  #isOfPackage(): boolean {
    return new Error('where a timer is set').stack?.includes(this.#packageName) === true
  }
}
