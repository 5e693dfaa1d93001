import { readFileSync, statSync } from 'node:fs';
import * as v from 'valibot';
import { CommandError } from '../scripts/frame/command.ts';
import { inlineProblems } from '../shared/rendering/checks/template-check.ts';
import { findJson } from '../shared/runtime/values/find-json.ts';
import { liquidOf } from './handlebars.ts';
import { documentsIn, isOnePerLine, recordsIn } from './json-records.ts';

/** An email template of SES or Pinpoint in this service's form, with notes. */
export type ImportedTemplate = {
  notificationId: string;
  title: string;
  content: { subject: string; html: string };
  parameters: string[];
  problems: string[];
};

const text = v.optional(v.nullable(v.string()));
/** GetTemplate of SES, GetEmailTemplate of SES v2 and of Pinpoint. */
const Ses = v.looseObject({ TemplateName: v.string(), SubjectPart: text, HtmlPart: text, TextPart: text });
const SesV2 = v.looseObject({
  TemplateName: v.string(),
  TemplateContent: v.looseObject({ Subject: text, Html: text, Text: text }),
});
const Pinpoint = v.looseObject({
  TemplateName: v.string(),
  Subject: text,
  HtmlPart: text,
  TextPart: text,
  DefaultSubstitutions: text,
});

type Given = { name: string; subject: string; html: string; text: string; defaults: Map<string, string> };

const FILE_BYTES_MAX = 20_000_000;

/** Reads the templates of a JSON file: one, a list, or one after the other. Undefined if it has none. */
export function readTemplates(file: string): ImportedTemplate[] | undefined {
  if (statSync(file, { throwIfNoEntry: false })?.size === undefined || statSync(file).size > FILE_BYTES_MAX)
    return undefined;
  const content = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  if (!/^\s*[[{]/.test(content)) return undefined;
  const values = isOnePerLine(content) ? content.split('\n').map(findJson) : [...documentsIn(content)];
  const records = values.flatMap((value) => (value === undefined ? [] : recordsIn(value)));
  if (records.some(isListOfNames))
    throw new CommandError(
      'The file has only the names of templates. Write the response of get-email-template (aws sesv2 or aws pinpoint) for each of them to one file.',
    );
  const found = records.map(templateOf).filter((each) => each !== undefined);
  return found.length === 0 ? undefined : found.map(convert);
}

/** ListTemplates and ListEmailTemplates return no content. */
function isListOfNames(value: unknown): boolean {
  const fields: Record<string, unknown> = Object(value);
  return 'TemplatesMetadata' in fields || 'TemplatesResponse' in fields;
}

function templateOf(inner: unknown): Given | undefined {
  const v2 = v.safeParse(SesV2, inner);
  if (v2.success) {
    const { TemplateName: name, TemplateContent: content } = v2.output;
    return {
      name,
      subject: content.Subject ?? '',
      html: content.Html ?? '',
      text: content.Text ?? '',
      defaults: new Map(),
    };
  }
  const ses = v.safeParse(Ses, inner);
  const pinpoint = v.safeParse(Pinpoint, inner);
  if (!ses.success || !pinpoint.success) return undefined;
  const { TemplateName: name, HtmlPart: html, TextPart: plain, SubjectPart } = ses.output;
  const { Subject, DefaultSubstitutions } = pinpoint.output;
  if (html === undefined && plain === undefined && Subject === undefined && SubjectPart === undefined)
    return undefined;
  const defaults = new Map(
    Object.entries(Object(findJson(DefaultSubstitutions ?? '{}'))).map(([path, value]) => [
      path.replace(/\.\[?\d+\]?/g, ''),
      String(value),
    ]),
  );
  return { name, subject: Subject ?? SubjectPart ?? '', html: html ?? '', text: plain ?? '', defaults };
}

function convert({ name, subject, html, text, defaults }: Given): ImportedTemplate {
  const problems: string[] = [];
  const parameters = new Set<string>();
  const part = (where: string, source: string, isHtml: boolean): string => {
    try {
      const converted = liquidOf(source, { isHtml, defaults });
      for (const each of converted.parameters) parameters.add(each);
      problems.push(...converted.problems.map((each) => `${where}, ${each}`));
      return converted.liquid;
    } catch (error) {
      const [because = ''] = error instanceof Error ? error.message.split('\n') : [];
      problems.push(`${where} is not valid Handlebars (${because}) and is left unchanged`);
      return `{% raw %}${source}{% endraw %}`;
    }
  };
  const content = {
    subject: part('subject', subject, false),
    html: part('html', html === '' ? asHtml(text) : html, true),
  };
  if (html === '' && text !== '') problems.push('it has no html: the text became html');
  else if (text !== '')
    problems.push('the text part is omitted: it is generated from the html when the email is sent');
  for (const each of inlineProblems({ email: content })) problems.push(`as Liquid: ${each}`);
  return { notificationId: name, title: name, content, parameters: [...parameters].sort(), problems };
}

function asHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<p>${escaped.replace(/\r?\n\r?\n/g, '</p>\n<p>').replace(/(?<!>)\r?\n/g, '<br>\n')}</p>`;
}
