import { useEffect, useRef, useState } from 'preact/hooks';
import { findMatches, type Match } from '../state/find.ts';
import { addressOf, go } from '../state/route.ts';

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
  return (
    <search class="search" ref={box} onFocusOut={leave}>
      <form onSubmit={submit}>
        <input
          data-search
          type="search"
          style={{ width: '100%' }}
          placeholder="/  user, email, number, type, topic, tracking ID"
          aria-label="Find by user, email, number, type, topic or tracking ID"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      {matches.length > 0 && (
        <ul class="matches" aria-label="Matches">
          {matches.map((match) => (
            <li key={`${match.kind} ${match.id}`}>
              <a href={addressOf(match.segments)} onClick={close}>
                <span class="small faint">{match.kind}</span> <span class="strong clip">{match.id}</span>{' '}
                <span class="small faint clip">{match.detail}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** Opens what was entered: the notifications of the user or type with exactly this ID, else the first match. */
function open(query: string, found: readonly Match[]): void {
  const exact = found.find(({ id }) => id.toLowerCase() === query.toLowerCase());
  const match = exact ?? found[0];
  if (exact?.kind === 'User' || !match) go(['notifications'], { user: exact?.id ?? query });
  else if (exact?.kind === 'Type') go(['notifications'], { type: exact.id });
  else go(match.segments);
}
