import { type TypeTexts, textIn } from '../../shared/domain/content/type-texts.ts';
import { escapeHtml } from '../../shared/http/pages/escape-html.ts';
import { renderPage } from '../../shared/http/pages/page.ts';
import { fillText, type PageLanguage, type PageTexts } from '../../shared/http/pages/page-language.ts';
import type { Channel } from '../../shared/schemas/channel.ts';

/** The sender, the subject of the message, and whether the type can be turned off. */
export type LinkFacts = {
  accountName: string;
  logo?: string;
  type: TypeTexts;
  channel: Channel;
  canBeOff: boolean;
  isMarketing?: boolean;
};

type State = 'ask' | 'done' | 'undone';

/**
 * Asks before (`ask`) and reports after (`done`, `undone`). `preferencesUrl` shows all choices. All values are
 * escaped.
 */
export function unsubscribePage(
  facts: LinkFacts,
  state: State,
  preferencesUrl: string,
  language: PageLanguage,
  isAll = false,
): string {
  const { texts } = language;
  const type = isAll ? { title: texts.marketing } : facts.type;
  const values = valuesOf({ ...facts, type, channels: [facts.channel] }, language);
  const { heading, body } = contentOf(texts, facts.canBeOff ? state : 'fixed', values, isAll);
  const isOffered = facts.isMarketing && !isAll && state !== 'undone';
  const everything = isOffered ? button('?all=true', texts.unsubscribeAll) : '';
  const choose = escapeHtml(texts.choose);
  const all = `<p class="note"><a href="${escapeHtml(preferencesUrl)}">${choose}</a></p>`;
  return renderPage({ ...facts, heading, body: `${body}\n${everything}${all}`, language });
}

type Named = Pick<LinkFacts, 'accountName' | 'type'> & { channels: readonly Channel[] };

/** Html of the values in a text. Names keep their own text direction in a page of the other direction. */
function valuesOf(
  { type, accountName, channels }: Named,
  { texts, direction, locale, locales }: PageLanguage,
) {
  const isolate = direction === 'rtl' ? ' dir="auto"' : '';
  const name = (text: string) => (isolate ? `<bdi>${escapeHtml(text)}</bdi>` : escapeHtml(text));
  const messages = channels.map((channel) => texts.messages[channel]);
  const sender = name(accountName || texts.theSender);
  return {
    title: `<strong${isolate}>${escapeHtml(textIn(type, 'title', locales))}</strong>`,
    messages: escapeHtml(new Intl.ListFormat(locale).format(messages)),
    sender,
    from: accountName === '' ? '' : fillText(texts.from, { sender }),
  };
}

/** Says that a type cannot be turned off on these channels, and who decided it. */
export const fixedNote = (named: Named, language: PageLanguage): string =>
  `<p class="note">${fillText(language.texts.fixed, valuesOf(named, language))}</p>`;

const button = (action: string, text: string) => `<form method="post" action="${action}">
<button type="submit" class="quiet">${escapeHtml(text)}</button>
</form>
`;

function contentOf(texts: PageTexts, state: State | 'fixed', values: Record<string, string>, isAll: boolean) {
  const status = (text: string) => `<p role="status">${fillText(text, values)}</p>`;
  if (state === 'fixed') return { heading: texts.fixedHeading, body: status(texts.fixed) };
  if (state === 'undone') return { heading: texts.undoneHeading, body: status(texts.undone) };
  if (state === 'done') {
    return {
      heading: texts.doneHeading,
      body: `${status(texts.done)}\n${button(isAll ? '?undo=true&amp;all=true' : '?undo=true', texts.undo)}`,
    };
  }
  return {
    heading: texts.unsubscribe,
    body: `<p>${fillText(texts.ask, values)}</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">${escapeHtml(texts.unsubscribe)}</button>
</form>
<p class="note">${escapeHtml(texts.nothingYet)}</p>`,
  };
}
