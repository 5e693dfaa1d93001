/** What a caller wrote, in a language that nobody stated: at most three lines of it, or one with `clip`, and the whole on hover. */
export function Words({ text, class: look = '' }: { text: string; class?: string }) {
  return (
    <span class={`words ${look}`} dir="auto" lang="" title={text}>
      {text}
    </span>
  );
}
