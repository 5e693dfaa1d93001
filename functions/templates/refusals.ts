import {
  CONTENT_BYTES_MAX,
  PACKED_BYTES_MAX,
} from '../../shared/database/entities/content/packed-content.ts';
import type { TemplateRefusal } from '../../shared/database/entities/content/template-changes.ts';
import { TEMPLATES_MAX, VARIANTS_MAX } from '../../shared/domain/content/template-list.ts';
import { AppError, type ErrorCode, type ErrorDetails } from '../../shared/runtime/errors.ts';

export const TOO_LARGE: [ErrorCode, ErrorDetails] = [
  'INVALID_REQUEST',
  {
    message: `The content takes more than ${CONTENT_BYTES_MAX / 1000} KB, or more than ${PACKED_BYTES_MAX / 1000} KB compressed.`,
    fix: 'Link images and fonts by URL instead of embedding them.',
  },
];

export const UNKNOWN_COMPONENT: [ErrorCode, ErrorDetails] = [
  'INVALID_TEMPLATE',
  {
    message: 'The html embeds a component that does not exist in this environment.',
    path: 'html',
    fix: 'Create the component first; GET /components lists all components.',
  },
];

const REFUSALS: Record<TemplateRefusal, [ErrorCode, ErrorDetails]> = {
  'no-type': [
    'RESOURCE_NOT_FOUND',
    {
      message: 'The notification type does not exist in this environment.',
      fix: 'GET /types lists the notification types with their IDs.',
    },
  ],
  'no-template': [
    'RESOURCE_NOT_FOUND',
    {
      message:
        'The notification type has no such template on this channel, or the template has no variant with this locale.',
      fix: 'GET /notifications/{notificationId}/{channel}/templates lists the templates with their IDs and locales; ?locale= selects a variant.',
    },
  ],
  duplicate: [
    'DUPLICATE_RESOURCE',
    {
      message: 'The channel already has a template with this ID and locale.',
      fix: 'Change it with PATCH, or choose another templateId or locale.',
    },
  ],
  full: [
    'INVALID_REQUEST',
    {
      message: `The notification type has reached its limit of at most ${TEMPLATES_MAX} templates with ${VARIANTS_MAX} variants, fewer with long IDs or many components.`,
      fix: 'Delete templates that are no longer used.',
    },
  ],
  'too-large': TOO_LARGE,
  'no-component': UNKNOWN_COMPONENT,
};

export function refusalOf(refusal: TemplateRefusal): AppError {
  return new AppError(...REFUSALS[refusal]);
}
