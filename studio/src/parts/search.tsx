import { useEffect, useRef, useState } from 'preact/hooks';
import { findMatches, type Match } from '../state/find.ts';
import { addressOf, go } from '../state/route.ts';
import { countText } from './shown.ts';
import { Words } from './words.tsx';

const PAUSE_MS = 150;

/** Finds users, types, topics and notifications; suggests while one types. */
export function Search() {
  const [text, setText] = useState('');
  const [matches, setMatches] = useState<Match[]>([]);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () => findMatches(text).then((found) => isCurrent && setMatches(found)),
      PAUSE_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  const close = () => {
    setText('');
    setMatches([]);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    const query = text.trim();
    if (query === '') return;
    const found = await findMatches(query);
    close();
    open(query, found);
  };
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (!box.current?.contains(relatedTarget as Node | null)) setMatches([]);
  };
  /** Arrows move between the field and its matches; Escape returns to the field. */
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Escape: 0 }[event.key];
    const stops = [...(box.current?.querySelectorAll<HTMLElement>('input, .matches a') ?? [])];
    const at = stops.indexOf(event.target as HTMLElement);
    if (step === undefined || (step === 0 && at <= 0)) return;
    event.preventDefault();
    event.stopPropagation();
    stops[step === 0 ? 0 : Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  };
  return (
    <search class="search" ref={box} onFocusOut={leave} onKeyDown={move}>
      <form onSubmit={submit}>
        <input
          data-search
          type="search"
          style={{ width: '100%' }}
          aria-keyshortcuts="/ Control+K"
          placeholder="/  user, email, number, type, topic, tracking ID"
          aria-label="Find by user, email, number, type, topic or tracking ID"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <p class="hidden" role="status">
        {matches.length > 0 ? countText(matches.length, 'match', 'matches') : ''}
      </p>
      {matches.length > 0 && (
        <ul class="matches" aria-label="Matches">
          {matches.map((match) => (
            <li key={`${match.kind} ${match.id}`}>
              <a href={addressOf(match.segments)} onClick={close}>
                <span class="small faint">{match.kind}</span> <Words class="strong clip" text={match.id} />{' '}
                <Words class="small faint clip" text={match.detail} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** Opens what was entered: the notifications of the user or type with exactly this ID, otherwise the first match. */
function open(query: string, found: readonly Match[]): void {
  const exact = found.find(({ id }) => id.toLowerCase() === query.toLowerCase());
  const match = exact ?? found[0];
  if (exact?.kind === 'User' || !match) go(['notifications'], { user: exact?.id ?? query });
  else if (exact?.kind === 'Type') go(['notifications'], { type: exact.id });
  else go(match.segments);
}
