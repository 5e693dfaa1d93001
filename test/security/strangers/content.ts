import { trackedHtml } from '../../../shared/channels/email/content/tracked-html.ts';
import { parseSmtpUrl } from '../../../shared/channels/email/smtp/smtp-url.ts';
import { isSafeLink, isSafeLinkStart } from '../../../shared/domain/content/links.ts';
import { orderProblem } from '../../../shared/providers/order/provider-order.ts';
import { missingVariables } from '../../../shared/rendering/checks/missing.ts';
import { rehearseContent } from '../../../shared/rendering/checks/rehearsal.ts';
import { templateProblems } from '../../../shared/rendering/checks/template-check.ts';
import { dependsOnReader, usesTranslations } from '../../../shared/rendering/language/language.ts';
import { messageProblem } from '../../../shared/rendering/language/message-check.ts';
import { checkCondition, evaluateCondition } from '../../../shared/rendering/liquid/condition.ts';
import { openBudget } from '../../../shared/rendering/liquid/limits.ts';
import { checkSyntax, componentIdsOf, renderLiquid } from '../../../shared/rendering/liquid/liquid.ts';
import { readableStack } from '../../../shared/runtime/readable-stack.ts';
import { listOf, type Parsers, rejecting, times } from './inputs.ts';

/** Templates that nobody writes by accident. */
const LIQUID: Record<string, (n: number) => string> = {
  'merge tags': (n) => times(n, '{{ a }}'),
  'merge tags after a long text': (n) => times(n, 'text\n') + times(n, '{{ a }}'),
  'merge tags of many names': (n) => listOf(n, (i) => `{{ a${i} }}`).join(''),
  'unclosed merge tags': (n) => times(n, '{{ '),
  'trimmed merge tags': (n) => times(n, ' {{- a -}} '),
  'nested tags': (n) => times(n, '{% if a %}') + times(n, '{% endif %}'),
  'nested loops': (n) => times(n, '{% for i in a %}') + times(n, '{% endfor %}'),
  'unclosed tags': (n) => times(n, '{% if a %}'),
  'tags in a comment': (n) => `{% comment %}${times(n, '{% raw %}')}`,
  'branches of a tag': (n) => `{% if a %}${times(n, '{% elsif b %}')}{% endif %}`,
  'values of a branch': (n) => `{% case a %}{% when ${times(n, 'b, ')}c %}{% endcase %}`,
  'filters of one tag': (n) => `{{ a ${times(n, '| upcase ')}}}`,
  'arguments of a filter': (n) => `{{ a | append: ${times(n, 'b, ')}c }}`,
  'conditions of a tag': (n) => `{% if a ${times(n, 'and b ')}%}{% endif %}`,
  'values of a cycle': (n) => `{% cycle ${times(n, 'b, ')}c %}`,
  'a long path': (n) => `{{ a${times(n, '.b')} }}`,
  'nested brackets': (n) => `{{ ${times(n, 'a[')}0${times(n, ']')} }}`,
  'nested ranges': (n) => `{{ ${times(n, '(1..')}2${times(n, ')')} }}`,
  'lines of liquid': (n) => `{% liquid\n${times(n, 'assign a = 1\n')}%}`,
  'assigned names': (n) => listOf(n, (i) => `{% assign a${i} = b${i} %}`).join(''),
  components: (n) => times(n, "{% component 'c' %}"),
  'an error at the end': (n) => `${times(n, '{{ a }}')}{{ a b }}`,
};

/** Everything that reads a template. */
const READERS: Record<string, (template: string) => unknown> = {
  'syntax check': (template) => checkSyntax(template),
  'embedded components': (template) => componentIdsOf(template),
  rendering: (template) =>
    renderLiquid(template, { a: [1] }, { as: 'html', atMs: 0, components: { c: 'x' } }),
  'preview and dry run': (html) =>
    rehearseContent({
      channel: 'EMAIL',
      inline: { html },
      components: { c: html },
      user: {},
      parameters: {},
      mode: 'instant',
      atMs: 0,
    }),
  'missing variables': (text) => missingVariables([{ text, as: 'html' }], {}, { budget: openBudget() }),
  'check of a condition': (condition) => checkCondition(condition),
  condition: (condition) => evaluateCondition(condition, {}, 0),
  language: (template) => [usesTranslations(template), dependsOnReader(template)],
};

function liquidParsers(): Parsers {
  const inputsFor = (read: (template: string) => unknown) =>
    Object.entries(LIQUID).map(([input, make]) => [input, (n: number) => () => read(make(n))]);
  return Object.fromEntries(
    Object.entries(READERS).map(([name, read]) => [`Liquid: ${name}`, Object.fromEntries(inputsFor(read))]),
  );
}

/** Rendered content, links, tracking, and settings with a special syntax. */
export const CONTENT: Parsers = {
  link: {
    'many tags': (n) => () => isSafeLinkStart(times(n, '{% x %}'), []),
    'unclosed tags': (n) => () => isSafeLinkStart(times(n, '{%'), []),
    colons: (n) => () => isSafeLink(times(n, ' \tjavascript:'), []),
  },
  ...liquidParsers(),
  'template to be saved': {
    'merge tags and open tags': (n) => () =>
      templateProblems('INAPP_WEB', { title: times(n, '{{ a }}'), redirectURL: times(n, '{%') }, []),
  },
  'ICU message': {
    arguments: (n) => () => messageProblem(times(n, '{a} '), 'en'),
    'unclosed arguments': (n) => () => messageProblem(times(n, '{a'), 'en'),
    quotes: (n) => () => messageProblem(times(n, "'{"), 'en'),
    choices: (n) => () =>
      messageProblem(`{a, select, ${listOf(n, (i) => `k${i} {x}`).join(' ')} other {x}}`, 'en'),
    nested: (n) => () => messageProblem(times(n, '{a, select, other {') + times(n, '}}'), 'en'),
    'a long skeleton': (n) => () => messageProblem(`{a, number, ::${times(n, '.00/w ')}}`, 'en'),
  },
  'html of an email': {
    'many links': (n) => () => tracked(times(n, '<a href="https://example.com">x</a>')),
    'many attributes': (n) => () => tracked(`<a ${listOf(n, (i) => `a${i}=1`).join(' ')}>`),
    'unclosed tags': (n) => () => tracked(times(n, '<a href="')),
    comments: (n) => () => tracked(times(n, '<!--')),
    'open scripts': (n) => () => tracked(times(n, '<script>')),
  },
  'stack of an error': {
    'many slashes': (n) => () => readableStack(`at f (${times(n, '/a')})`),
    'many files': (n) => () => readableStack(times(n, '/a.js:1:2')),
    'many frames': (n) => () => readableStack(times(n, 'at f (/a.js:1:2)\n')),
    'many digits': (n) => () => readableStack(`/a.js:${times(n, '1')}`),
  },
  'order of providers': {
    'many entries': (n) => () =>
      orderProblem(
        'SMS',
        listOf(n, (i) => `twilio:a${i}`),
      ),
    'a long URL': (n) => () => rejecting(() => parseSmtpUrl(`smtp://${times(n, 'a:@')}`)),
  },
};

function tracked(html: string): Promise<string> {
  return trackedHtml(html, { openUrl: 'https://o', clickUrl: async (link) => link });
}
