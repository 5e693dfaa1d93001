import { useEffect, useRef } from 'preact/hooks';

type Props = {
  value: string;
  language: 'liquid' | 'json' | 'text';
  label: string;
  /** The field of the request. */
  name?: string;
  onChange: (value: string) => void;
  problem?: { line: number; column: number; message: string } | undefined;
};

type Mounted = {
  setValue: (text: string) => void;
  setProblem: (problem: Props['problem']) => void;
  focus: () => void;
  destroy: () => void;
};

/** A code editor, loaded when it is first shown. Until then, and if that fails, a plain text area. */
export function Editor({ value, language, label, name, onChange, problem }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const mounted = useRef<Mounted | undefined>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  const latest = useRef(value);
  latest.current = value;
  /** Texts that were typed and have not come back as `value` yet. */
  const typed = useRef<string[]>([]);
  useEffect(() => {
    let isGone = false;
    import('./code-mirror.ts').then(({ mountEditor }) => {
      if (isGone || !box.current) return;
      const isTyping = box.current.contains(document.activeElement);
      box.current.replaceChildren();
      mounted.current = mountEditor(box.current, {
        value: latest.current,
        language,
        label,
        onChange: (text) => {
          typed.current.push(text);
          change.current(text);
        },
      });
      mounted.current.setProblem(problem);
      if (isTyping) mounted.current.focus();
    });
    return () => {
      isGone = true;
      mounted.current?.destroy();
      mounted.current = undefined;
    };
  }, [language]);
  useEffect(() => {
    // By now more may have been typed: a value that comes back must not replace it.
    const index = typed.current.lastIndexOf(value);
    typed.current.splice(0, index < 0 ? typed.current.length : index + 1);
    if (index < 0) mounted.current?.setValue(value);
  }, [value]);
  useEffect(() => mounted.current?.setProblem(problem), [problem?.line, problem?.column, problem?.message]);
  return (
    <div data-field={name}>
      <div class="editor" ref={box}>
        <textarea
          rows={6}
          aria-label={label}
          value={value}
          onInput={({ currentTarget }) => {
            // The editor may take its place before this text has come back as `value`.
            latest.current = currentTarget.value;
            onChange(currentTarget.value);
          }}
        />
      </div>
    </div>
  );
}
