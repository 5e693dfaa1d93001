import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const SPARE_ROWS = 8;

type Props<T> = {
  items: readonly T[];
  rowHeight: number;
  keyOf: (item: T) => string | number;
  children: (item: T, style: { top: string; height: string }) => ComponentChildren;
  /** The key of the entry that is open: it is scrolled into view when it appears. */
  currentKey?: string | number | undefined;
  /** Called when the end becomes visible. */
  onEnd?: (() => void) | undefined;
  label: string;
};

/** A list with only its visible rows in the document, so that ten thousand scroll smoothly. */
export function Windowed<T>({ items, rowHeight, keyOf, children, currentKey, onEnd, label }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const at = currentKey === undefined ? -1 : items.findIndex((item) => keyOf(item) === currentKey);
  useLayoutEffect(() => {
    const element = box.current;
    const top = at * rowHeight;
    if (!element || at < 0) return;
    const isShown = top >= element.scrollTop && top + rowHeight <= element.scrollTop + element.clientHeight;
    if (!isShown) element.scrollTop = top - element.clientHeight / 3;
  }, [currentKey, at < 0]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - SPARE_ROWS);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + SPARE_ROWS);
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    setView({ top: element.scrollTop, height: element.clientHeight });
    if (element.scrollTop + element.clientHeight > items.length * rowHeight - 600) onEnd?.();
  };
  return (
    <div class="scroll" ref={box} onScroll={onScroll}>
      <ul class="rows" aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={first + index + 1}>
            {children(item, { top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` })}
          </li>
        ))}
      </ul>
    </div>
  );
}
