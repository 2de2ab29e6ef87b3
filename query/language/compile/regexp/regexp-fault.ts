// What keeps a regular expression from being one of RE2's (search-language#regular-expressions), so
// that it is refused with its place and never by the engine. Follows RE2's parser with the flags
// that the engine sets (Perl classes, groups and quotes).
import { isUnicodeProperty } from './unicode-properties.ts'

const MAX_REPEAT = 1000
const MAX_CODE_POINT = 0x10ffff
const PROPERTY = /^(?:\{\^?([A-Za-z_]+)\}|([A-Z]))/
const CLASS_NAME =
  /^\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/
/** ASCII characters that stand for themselves after a backslash. */
const NEITHER_LETTER_NOR_DIGIT = /^[^A-Za-z0-9\u0080-\u{10ffff}]$/u

/** undefined: sound. Else the end of a sentence that begins with "the regular expression". */
export function regexpFault(regexp: string): string | undefined {
  try {
    new FaultFinder([...regexp]).read()
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

class Fault extends Error {}

class FaultFinder {
  readonly #characters: readonly string[]
  /** For the open groups and the whole: the largest product of repetitions in what was read, and in
   *  the last part of it. */
  readonly #groups: { most: number; last: number }[] = [{ most: 1, last: 1 }]
  #at = 0

  constructor(characters: readonly string[]) {
    this.#characters = characters
  }

  read(): void {
    /** What stands directly before: nothing that can be repeated, something, or a repetition. */
    let before: 'nothing' | 'part' | 'repetition' = 'nothing'
    while (this.#at < this.#characters.length) {
      const character = this.#next()
      if (character === '(') {
        // Flags alone, and a quote of nothing, part two repetitions.
        before = this.#openGroup() || before === 'nothing' ? 'nothing' : 'part'
      } else if (character === ')') {
        this.#closeGroup()
        before = 'part'
      } else if (character === '|') {
        before = 'nothing'
      } else if (/^[*+?]$/.test(character) || (character === '{' && this.#count() !== undefined)) {
        before = this.#repeat(character, before)
      } else {
        if (character === '\\' && this.#emptyQuote()) {
          if (before === 'repetition') before = 'part'
          continue
        }
        if (character === '\\') this.#escape()
        else if (character === '[') this.#class()
        this.#setLast(1)
        before = 'part'
      }
    }
    if (this.#groups.length > 1) throw new Fault('has ( without )')
  }

  #repeat(character: string, before: 'nothing' | 'part' | 'repetition'): 'repetition' {
    const count = character === '{' ? this.#count() : undefined
    const text = count?.text ?? character
    if (before === 'nothing') throw new Fault(`has nothing for ${text} to repeat`)
    if (before === 'repetition') throw new Fault(`repeats a repetition with ${text}`)
    if (count) {
      this.#at += [...count.text].length - 1
      const { least, most } = count
      if (Math.max(least, most ?? 0) > MAX_REPEAT || (most !== null && most < least)) {
        throw new Fault(
          `repeats more often than ${MAX_REPEAT} times or less than it must with ${text}`,
        )
      }
      const group = this.#groups.at(-1)
      this.#setLast((group?.last ?? 1) * Math.max(most ?? least, 1))
    }
    if (this.#characters[this.#at] === '?') this.#at += 1
    return 'repetition'
  }

  #setLast(times: number): void {
    const group = this.#groups.at(-1)
    if (!group) return
    if (times > MAX_REPEAT)
      throw new Fault(`repeats a part more often than ${MAX_REPEAT} times in all`)
    group.last = times
    group.most = Math.max(group.most, times)
  }

  /** `{3}`, `{3,}`, `{3,5}` from the brace that was read; anything else in braces is plain text. */
  #count(): { text: string; least: number; most: number | null } | undefined {
    const ahead = this.#characters.slice(this.#at - 1, this.#at + 24).join('')
    const found = /^\{(0|[1-9]\d{0,8})(,(0|[1-9]\d{0,8})?)?\}/.exec(ahead)
    if (!found) return undefined
    const [text, first = '', comma, second] = found
    const least = Number(first)
    const most = second === undefined ? (comma === undefined ? least : null) : Number(second)
    return { text, least, most }
  }

  /** False for flags alone, which open nothing. */
  #openGroup(): boolean {
    const ahead = this.#characters.slice(this.#at, this.#at + 100).join('')
    if (!ahead.startsWith('?')) return this.#push(0)
    const name = /^\?P?<([^>]*)>/.exec(ahead)
    if (name && !/^\?<[=!]/.test(ahead)) {
      const [whole, given = ''] = name
      if (!/^[\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}]+$/u.test(given)) {
        throw new Fault(`names a group '${given}': letters, digits and _ are expected`)
      }
      return this.#push([...whole].length)
    }
    if (/^\?(?:[=!]|<[=!])/.test(ahead))
      throw new Fault('looks ahead or behind, which is not supported')
    const flags = /^\?(?:[imsU]*|[imsU]*-[imsU]+)([:)])/.exec(ahead)
    if (!flags) throw new Fault(`has (${ahead.slice(0, 3)}, which is not supported`)
    const length = flags[0].length
    if (flags[1] === ':') return this.#push(length)
    this.#at += length
    return false
  }

  #push(length: number): true {
    this.#at += length
    this.#groups.push({ most: 1, last: 1 })
    return true
  }

  #closeGroup(): void {
    const { most } = this.#groups.pop() ?? { most: 1 }
    if (this.#groups.length === 0) throw new Fault('has ) without (')
    this.#setLast(most)
  }

  /** After a backslash outside of a class. */
  #escape(): void {
    const character = this.#characters[this.#at]
    if (character === 'Q') this.#quote()
    else if (character !== undefined && /^[ABbzC]$/.test(character)) this.#at += 1
    else if (!this.#classEscape()) this.#code()
  }

  /** `\Q\E` is nothing at all. */
  #emptyQuote(): boolean {
    if (this.#characters.slice(this.#at, this.#at + 3).join('') !== 'Q\\E') return false
    this.#at += 3
    return true
  }

  /** Up to \E everything is plain. */
  #quote(): void {
    const text = this.#characters.slice(this.#at + 1)
    const end = text.findIndex((character, index) => character === '\\' && text[index + 1] === 'E')
    this.#at = end < 0 ? this.#characters.length : this.#at + end + 3
  }

  /** `\d`, `\pL` and the like, which stand for many characters. */
  #classEscape(): boolean {
    const character = this.#characters[this.#at] ?? ''
    if (/^[dDsSwW]$/.test(character)) {
      this.#at += 1
      return true
    }
    if (!/^[pP]$/.test(character)) return false
    const found = PROPERTY.exec(this.#characters.slice(this.#at + 1, this.#at + 60).join(''))
    if (!found) throw new Fault(`has \\${character} without a property of Unicode`)
    const [whole, inBraces, letter = inBraces ?? ''] = found
    if (!isUnicodeProperty(letter)) {
      throw new Fault(`has \\${character}${whole}, which is no category or script of Unicode`)
    }
    this.#at += 1 + whole.length
    return true
  }

  /** An escape of one character: its code. */
  #code(): number {
    const character = this.#next('ends with a backslash')
    if (/^[0-7]$/.test(character)) return this.#octal(character)
    if (character === 'x') return this.#hexadecimal()
    const control = 'aftnrv'.indexOf(character)
    if (control >= 0) return [7, 12, 9, 10, 13, 11][control] ?? 0
    if (NEITHER_LETTER_NOR_DIGIT.test(character)) return character.charCodeAt(0)
    if (/^[89]$/.test(character)) throw new Fault('has a back reference, which is not supported')
    throw new Fault(`has \\${character}, which is no escape`)
  }

  /** \0, \012; \1 to \7 alone would be back references. */
  #octal(first: string): number {
    const ahead = this.#characters.slice(this.#at, this.#at + 2).join('')
    const digits = /^[0-7]*/.exec(ahead)?.[0] ?? ''
    if (first !== '0' && digits === '') {
      throw new Fault('has a back reference, which is not supported')
    }
    this.#at += digits.length
    return Number.parseInt(first + digits, 8)
  }

  #hexadecimal(): number {
    const ahead = this.#characters.slice(this.#at, this.#at + 20).join('')
    const found = /^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})/.exec(ahead)
    const code = Number.parseInt(found?.[1] ?? found?.[2] ?? '', 16)
    if (!found || code > MAX_CODE_POINT) throw new Fault('has \\x without a code of Unicode')
    this.#at += found[0].length
    return code
  }

  /** After its bracket. */
  #class(): void {
    if (this.#characters[this.#at] === '^') this.#at += 1
    let isFirst = true
    while (isFirst || this.#characters[this.#at] !== ']') {
      if (this.#at >= this.#characters.length) throw new Fault('has [ without ]')
      isFirst = false
      if (!this.#namedClass()) this.#range()
    }
    this.#at += 1
  }

  #namedClass(): boolean {
    const ahead = this.#characters.slice(this.#at, this.#at + 14).join('')
    if (ahead.startsWith('[:') && this.#characters.indexOf(']', this.#at) > 0) {
      const name = CLASS_NAME.exec(ahead)?.[0]
      if (name !== undefined) {
        this.#at += name.length
        return true
      }
      const rest = this.#characters.slice(this.#at).join('')
      const unknown = /^\[:.*?:\]/s.exec(rest)?.[0]
      if (unknown !== undefined) throw new Fault(`has ${unknown.slice(0, 20)}, which is no class`)
      return false
    }
    if (this.#characters[this.#at] !== '\\') return false
    this.#at += 1
    if (this.#classEscape()) return true
    this.#at -= 1
    return false
  }

  #range(): void {
    const low = this.#classCharacter()
    const [dash, behind] = this.#characters.slice(this.#at, this.#at + 2)
    if (dash !== '-' || behind === undefined || behind === ']') return
    this.#at += 1
    const high = this.#classCharacter()
    if (high < low) throw new Fault('has a range of characters whose end is before its start')
  }

  #classCharacter(): number {
    const character = this.#next('has [ without ]')
    return character === '\\' ? this.#code() : (character.codePointAt(0) ?? 0)
  }

  #next(fault = 'ends too early'): string {
    const character = this.#characters[this.#at]
    if (character === undefined) throw new Fault(fault)
    this.#at += 1
    return character
  }
}
