import * as v from 'valibot';
import type { StoredType, TemplateEntry } from '../../shared/database/entities/content/notification-types.ts';
import {
  type TemplateName,
  type TemplateOutcome,
  type TemplateScope,
  templateState,
} from '../../shared/database/entities/content/template-changes.ts';
import { datesOf, noteState } from '../../shared/database/items/edition.ts';
import { findTemplate } from '../../shared/domain/content/template-list.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import type { RequestParts } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { CHANNELS, Channel } from '../../shared/schemas/channel.ts';
import { modesOf, type Template } from '../../shared/schemas/content/template.ts';
import { refusalOf } from './refusals.ts';

/** Returns which templates a request is about. `channelProblems` has checked its channel. */
export function scopeOf(caller: Caller, path: { notificationId: string; channel: string }): TemplateScope {
  return {
    environmentId: caller.environmentId,
    notificationId: path.notificationId,
    channel: v.parse(Channel, path.channel),
  };
}

export function channelProblems({ path }: Pick<RequestParts, 'path'>): Problem[] {
  if (v.is(Channel, path.channel)) return [];
  const error = new AppError('INVALID_CHANNEL', { fix: `Use one of ${CHANNELS.join(', ')} in the path.` });
  return [{ where: 'path.channel', must: `must be one of ${CHANNELS.join(', ')}`, error }];
}

export function templateResponse(scope: TemplateScope, entry: TemplateEntry): Template {
  noteState('template', templateState(entry));
  const modes = modesOf(scope.channel).map((mode): [string, boolean] => [
    mode,
    entry.defaultFor.includes(mode),
  ]);
  return {
    envId: scope.environmentId,
    notificationId: scope.notificationId,
    templateId: entry.templateId,
    ...defined({ locale: entry.locale }),
    channel: scope.channel,
    default: entry.defaultFor.includes('instant'),
    isDefaultFor: Object.fromEntries(modes),
    ...datesOf(entry),
  };
}

/** Returns the template from a type that was read; throws RESOURCE_NOT_FOUND if either is unknown. */
export function entryOf(
  type: StoredType | undefined,
  scope: TemplateScope,
  name: TemplateName,
): TemplateEntry {
  if (!type) throw refusalOf('no-type');
  const entry = findTemplate(type.templates, scope.channel, name);
  if (!entry) throw refusalOf('no-template');
  return entry;
}

/** Returns the template after a change; throws the error of a rejected one. */
export function savedEntry(outcome: TemplateOutcome): TemplateEntry {
  if (outcome.kind !== 'saved') throw refusalOf(outcome.kind);
  return outcome.entry;
}
