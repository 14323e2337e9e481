/** The receivers of each message, in the order in which they subscribed. */
export class Subscribers<Message> {
  readonly #listeners: ((message: Message) => void)[] = []

  /** Subscribes the listener to all messages published from now on. */
  subscribe(listener: (message: Message) => void): void {
    this.#listeners.push(listener)
  }

  publish(message: Message): void {
    for (const listener of this.#listeners) listener(message)
  }
}
