// The connection of the package pg to somebody else's server, which gets whole messages only. What
// is broken ends it: pg would throw in a listener of the socket, or search for an end forever.
import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { Connection } from 'pg'
import { OutboundError } from '../../outbound/find-address.ts'

const HEAD_BYTES = 5
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
/** Of one answer, which is in memory as a whole. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
const MOST_MESSAGES = 100_000
const ERROR = 0x45
const NOTICE = 0x4e
const READY = 0x5a

declare module 'pg' {
  interface Connection {
    attachListeners(stream: EventEmitter): void
  }
  interface ClientConfig {
    connection?: Connection
  }
}

export class CheckedConnection extends Connection {
  override attachListeners(stream: Duplex): void {
    const checked = new EventEmitter()
    const messages = new ForeignMessages()
    stream.on('data', (bytes: Buffer) => {
      try {
        for (const message of messages.take(bytes)) checked.emit('data', message)
      } catch (error) {
        stream.destroy(error instanceof OutboundError ? error : broken(error))
      }
    })
    super.attachListeners(checked)
  }
}

/** Cut from bytes. */
class ForeignMessages {
  readonly #head = Buffer.alloc(HEAD_BYTES)
  #message = this.#head
  #filled = 0
  #answerBytes = 0
  #answerMessages = 0

  /** Fails with OutboundError. */
  take(bytes: Buffer): readonly Buffer[] {
    const messages: Buffer[] = []
    for (let at = 0; at < bytes.length; ) {
      const copied = bytes.copy(this.#message, this.#filled, at)
      at += copied
      this.#filled += copied
      if (this.#filled < this.#message.length) break
      if (this.#message === this.#head && this.#begin()) continue
      const whole = this.#message
      this.#message = this.#head
      this.#filled = 0
      this.#check(whole)
      messages.push(whole)
    }
    return messages
  }

  /** False: there is nothing after the head. */
  #begin(): boolean {
    const length = 1 + this.#head.readUInt32BE(1)
    if (length < HEAD_BYTES) throw broken()
    if (length > MAX_MESSAGE_BYTES) throw tooLarge()
    this.#message = Buffer.allocUnsafe(length)
    this.#head.copy(this.#message)
    return length > HEAD_BYTES
  }

  #check(message: Buffer): void {
    const [kind] = message
    if ((kind === ERROR || kind === NOTICE) && !hasEnd(message)) throw broken()
    this.#answerBytes = kind === READY ? 0 : this.#answerBytes + message.length
    this.#answerMessages = kind === READY ? 0 : this.#answerMessages + 1
    if (this.#answerBytes > MAX_ANSWER_BYTES || this.#answerMessages > MOST_MESSAGES)
      throw tooLarge()
  }
}

/** Fields of one byte and a text up to a zero each, and a zero. */
function hasEnd(message: Buffer): boolean {
  let at = HEAD_BYTES
  while (at < message.length && message[at] !== 0) {
    const end = message.indexOf(0, at + 1)
    if (end < 0) return false
    at = end + 1
  }
  return at < message.length
}

function broken(cause?: unknown): OutboundError {
  return new OutboundError('it does not answer as PostgreSQL does', cause)
}

function tooLarge(): OutboundError {
  return new OutboundError('its answer is too large')
}
