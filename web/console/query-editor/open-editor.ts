// The editor of a query: CodeMirror in a shadow tree, where its styles are adopted sheets, which
// the policy of the pages lets in without a word for inline styles.
import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionKeymap,
  moveCompletionSelection,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, insertNewline } from '@codemirror/commands'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { WindowParameters } from '../../shared/api/search.ts'
import { completeAt } from './complete-at.ts'
import { queryLanguage } from './query-language.ts'

/** From the last key to the question for completions: keys of one burst ask once. */
const TYPING_MS = 15

export type Editor = {
  setText(text: string): void
  setMarks(marks: readonly Diagnostic[]): void
  /** What a screen reader tells of it; whether something is wrong with it. */
  describe(text: string, isFaulty: boolean): void
  focus(): void
  destroy(): void
}

export type EditorOptions = {
  readonly place: HTMLElement
  readonly text: string
  readonly label: string
  readonly hint: string
  /** What stands before the text in the query that it is a part of. */
  readonly leading?: string | undefined
  readonly readWindow: () => WindowParameters
  readonly onChange: (text: string) => void
  /** By Enter. Without it the editor is a field of a form: Enter begins a line, Tab goes on. */
  readonly onRun?: () => void
}

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--syntax-word)', fontWeight: '600' },
  { tag: tags.propertyName, color: 'var(--syntax-column)' },
  { tag: tags.string, color: 'var(--syntax-text)' },
  { tag: tags.number, color: 'var(--syntax-number)' },
  { tag: tags.tagName, color: 'var(--syntax-scope)' },
  { tag: tags.operator, color: 'var(--soft)' },
])

const LOOK = EditorView.theme({
  '&': { color: 'var(--ink)', fontSize: '13px', maxHeight: '152px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '19px' },
  '.cm-content': { padding: '3px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 8px' },
  '.cm-placeholder': { color: 'var(--faint)', fontFamily: 'var(--font)' },
  '.cm-tooltip': {
    border: '1px solid var(--rule-strong)',
    borderRadius: '7px',
    background: 'var(--raised)',
    color: 'var(--ink)',
    fontFamily: 'var(--font)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px' },
  '.cm-tooltip-autocomplete ul li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--chosen)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--faint)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)' },
  // Of the package it is a picture in a data address, which the policy keeps out.
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy 1px' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warning)' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--error)' },
  '.cm-lintRange-warning, .cm-lintRange-error': { backgroundImage: 'none' },
  '.cm-diagnosticAction': { background: 'var(--accent)', color: 'var(--accent-ink)' },
})

export function openEditor(options: EditorOptions): Editor {
  const { place, text, label, hint, leading, readWindow, onChange, onRun } = options
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const described = new Compartment()
  const run = (view: EditorView) => {
    closeCompletion(view)
    onRun?.()
    return true
  }
  // Enter runs, unless something was chosen: nobody takes a completion by mistake.
  const take = (view: EditorView) => {
    if (acceptCompletion(view)) return true
    return moveCompletionSelection(true)(view) && acceptCompletion(view)
  }
  const lineKeys = keymap.of([
    { key: 'Tab', run: take },
    { key: 'Enter', run },
    {
      key: 'Escape',
      run: ({ contentDOM }) => {
        contentDOM.blur()
        return true
      },
    },
  ])
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([{ key: 'Shift-Enter', run: insertNewline }]),
        autocompletion({
          override: [(context) => completeAt(context, readWindow, leading)],
          activateOnTypingDelay: TYPING_MS,
          icons: false,
          selectOnOpen: false,
          maxRenderedOptions: 40,
        }),
        keymap.of(completionKeymap),
        onRun === undefined ? keymap.of([{ key: 'Tab', run: acceptCompletion }]) : lineKeys,
        history(),
        keymap.of([...historyKeymap, ...lintKeymap, ...defaultKeymap]),
        queryLanguage,
        syntaxHighlighting(COLOURS),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        described.of([]),
        placeholder(hint),
        LOOK,
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString())
        }),
      ],
    }),
  })
  return {
    setText: (given) => {
      if (view.state.doc.toString() === given) return
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: given },
        selection: { anchor: given.length },
      })
    },
    setMarks: (marks) => view.dispatch(setDiagnostics(view.state, marks)),
    describe: (told, isFaulty) => {
      const attributes = { 'aria-description': told, 'aria-invalid': String(isFaulty) }
      view.dispatch({
        effects: described.reconfigure(EditorView.contentAttributes.of(attributes)),
      })
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}
