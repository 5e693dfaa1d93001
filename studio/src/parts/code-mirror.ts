import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { json } from '@codemirror/lang-json';
import { liquid } from '@codemirror/lang-liquid';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';

type Options = {
  value: string;
  language: 'liquid' | 'json' | 'text';
  label: string;
  onChange: (value: string) => void;
};

const LANGUAGES = { liquid: () => liquid({ base: html() }), json: () => json(), text: () => [] } as const;

/** Colours of the page, so that both schemes have their contrast. */
const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.processingInstruction], color: 'var(--opened)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--delivered)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--waiting)' },
  { tag: [tags.propertyName, tags.attributeName, tags.variableName], color: 'var(--sent)' },
  { tag: [tags.comment, tags.angleBracket, tags.brace], color: 'var(--faint)' },
  { tag: tags.invalid, color: 'var(--failed)' },
]);
const THEME = EditorView.theme({
  '.cm-gutters': { background: 'transparent', border: '0', color: 'var(--faint)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-tooltip': { background: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--selected)' },
});

/** Marks a change that was not typed. */
const Given = Annotation.define<true>();

export function mountEditor(parent: HTMLElement, { value, language, label, onChange }: Options) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        history(),
        bracketMatching(),
        lintGutter(),
        syntaxHighlighting(HIGHLIGHT),
        THEME,
        keymap.of([...defaultKeymap, ...historyKeymap]),
        LANGUAGES[language](),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          const isGiven = update.transactions.some((each) => each.annotation(Given));
          if (update.docChanged && !isGiven) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setValue(text: string) {
      if (view.state.doc.toString() === text) return;
      const changes = { from: 0, to: view.state.doc.length, insert: text };
      view.dispatch({ changes, annotations: Given.of(true) });
    },
    setProblem(problem: { line: number; column: number; message: string } | undefined) {
      const { doc } = view.state;
      const line = problem && doc.line(Math.min(Math.max(problem.line, 1), doc.lines));
      const diagnostics =
        problem && line
          ? [
              {
                from: Math.min(line.from + problem.column - 1, line.to),
                to: line.to,
                severity: 'error' as const,
                message: problem.message,
              },
            ]
          : [];
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    /** Puts the cursor at the end. */
    focus() {
      view.focus();
      view.dispatch({ selection: { anchor: view.state.doc.length } });
    },
    destroy: () => view.destroy(),
  };
}
