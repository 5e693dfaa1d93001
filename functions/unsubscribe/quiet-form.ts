import { firstTimezone } from '../../shared/domain/timing/timezone.ts';
import { escapeHtml } from '../../shared/http/pages/escape-html.ts';
import { fillText, type PageLanguage } from '../../shared/http/pages/page-language.ts';
import {
  type QuietChoices,
  type QuietFacts,
  quietChannels,
  shownName,
  shownQuiet,
  shownValue,
  WEEKDAYS,
} from './quiet-choices.ts';

const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 0];

/** The fields of quiet hours and of the pause. Quiet hours are the submitted hours, then the user's own, then the account's. */
export function quietFields(
  facts: QuietFacts,
  language: PageLanguage,
  choices: QuietChoices = shownQuiet(facts),
): string {
  const { user, account } = facts;
  const { texts } = language;
  const zone = firstTimezone([user?.timezone, account?.timezone]);
  const time = (name: string, label: string, value: string) =>
    `<label>${escapeHtml(label)} <input type="time" name="${name}" value="${escapeHtml(value)}"></label>`;
  const shown = shownQuiet(facts);
  const hidden = (['from', 'to', 'days', 'channels'] as const).map(
    (name) =>
      `<input type="hidden" name="${shownName(name)}" value="${escapeHtml(shownValue(shown, name))}">`,
  );
  const empty = account?.quietHours ? texts.quietDefault : texts.quietNone;
  return `<fieldset>
<legend>${escapeHtml(texts.quietHours)}</legend>
${time('quiet-from', texts.quietFrom, choices.from)}
${time('quiet-to', texts.quietTo, choices.to)}
${restrictions(facts, language, choices)}
<p class="note">${fillText(texts.quietZone, { zone: escapeHtml(zone) })} ${escapeHtml(empty)}</p>
${hidden.join('\n')}
</fieldset>
<fieldset>
<legend>${escapeHtml(texts.pauseAll)}</legend>
${pauseChoices(facts, language, zone)}
</fieldset>`;
}

/** The days and the channels of quiet hours, folded while they apply to all. */
function restrictions(facts: QuietFacts, { texts, locale }: PageLanguage, choices: QuietChoices): string {
  const offered = quietChannels(facts);
  const { days, channels } = choices;
  const nameOf = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const dayBoxes = MONDAY_FIRST.map(
    (index) => [WEEKDAYS[index] ?? '', nameOf.format(Date.UTC(2023, 0, 1 + index))] as const,
  );
  const channelBoxes = offered.map((channel) => [channel, texts.channels[channel]] as const);
  const isOpen = days.length < WEEKDAYS.length || channels.length < offered.length;
  return `<details${isOpen ? ' open' : ''}>
<summary>${escapeHtml(texts.quietMore)}</summary>
${checkboxes('quiet-days', texts.quietDays, dayBoxes, days)}
${offered.length > 1 ? checkboxes('quiet-channels', texts.quietChannels, channelBoxes, channels) : ''}
</details>`;
}

function checkboxes(
  name: string,
  legend: string,
  boxes: readonly (readonly [value: string, label: string])[],
  checked: readonly string[],
): string {
  const labels = boxes.map(([value, label]) => {
    const isChecked = checked.includes(value) ? ' checked' : '';
    return `<label><input type="checkbox" name="${name}" value="${value}"${isChecked}> ${escapeHtml(label)}</label>`;
  });
  return `<fieldset class="boxes ${name}">
<legend>${escapeHtml(legend)}</legend>
<input type="hidden" name="${name}" value="">
${labels.join('\n')}
</fieldset>`;
}

function pauseChoices({ user, nowMs }: QuietFacts, { texts, locale }: PageLanguage, zone: string): string {
  const pausedUntilMs = user?.pausedUntilMs ?? 0;
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  const paused = fillText(texts.paused, { time: escapeHtml(until.format(pausedUntilMs)) });
  const none = escapeHtml(texts.pauseNone);
  const isPaused = pausedUntilMs > nowMs;
  const choices: (readonly [value: string, html: string])[] = [
    // Submitting what is shown ends no pause that began since.
    ['keep', isPaused ? paused : none],
    ...(isPaused ? [['none', none] as const] : []),
    ['hour', escapeHtml(texts.pauseHour)],
    ['day', escapeHtml(texts.pauseDay)],
    ['week', escapeHtml(texts.pauseWeek)],
    ['month', escapeHtml(texts.pauseMonth)],
  ];
  const radios = choices.map(
    ([value, html], index) =>
      `<label>${html} <input type="radio" name="pause" value="${value}"${index === 0 ? ' checked' : ''}></label>`,
  );
  return radios.join('\n');
}
