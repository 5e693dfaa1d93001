import type { User } from '../../../client/src/generated/types.ts';
import { api } from './service.ts';

/** Something that matches what was typed. */
export type Match = {
  kind: 'Notification' | 'User' | 'Type' | 'Topic';
  id: string;
  detail: string;
  segments: string[];
};

const EACH_MAX = 5;
const TRACKING_ID = /^[0-9a-f]{8}-[0-9a-f-]{20,}$/i;

/** Finds notifications by tracking ID; users by the start of their ID, by email or number; types and topics by a part of them. */
export async function findMatches(text: string): Promise<Match[]> {
  const query = text.trim();
  if (query === '') return [];
  if (TRACKING_ID.test(query))
    return [{ kind: 'Notification', id: query, detail: '', segments: ['notifications', query] }];
  const lists = await Promise.all([findUsers(query), findTypes(query), findTopics(query)].map(orNone));
  return lists.flat();
}

/** Finds users by address if the text is an address, otherwise by the start of their ID. */
export async function listUsersLike(text: string): Promise<User[]> {
  const query = text.trim();
  const number = query.replace(/[\s()./-]/g, '');
  const asked = [
    api.users.list({ prefix: query, limit: EACH_MAX }),
    ...(/^[^@\s]+@[^@\s]+$/.test(query) ? [api.users.list({ email: query })] : []),
    ...(/^\+?\d{7,15}$/.test(number) ? [api.users.list({ number })] : []),
  ];
  const pages = await Promise.all(
    asked.map((page) =>
      page.then(
        ({ users }) => users,
        (): User[] => [],
      ),
    ),
  );
  return [...new Map(pages.flat().map((user) => [user.id, user])).values()];
}

async function findUsers(query: string): Promise<Match[]> {
  const users = await listUsersLike(query);
  return users.slice(0, EACH_MAX).map(({ id, email, number }) => ({
    kind: 'User',
    id,
    detail: [email, number].filter(Boolean).join(' · '),
    segments: ['users', id],
  }));
}

async function findTypes(query: string): Promise<Match[]> {
  const types = await api.types.list();
  return types
    .filter(({ notificationId, title }) => isPart(query, notificationId) || isPart(query, title))
    .slice(0, EACH_MAX)
    .map(({ notificationId, title }) => ({
      kind: 'Type',
      id: notificationId,
      detail: title === notificationId ? '' : title,
      segments: ['types', notificationId],
    }));
}

async function findTopics(query: string): Promise<Match[]> {
  const { topics } = await api.topics.list({ limit: 100 });
  return topics
    .filter(({ topicId }) => isPart(query, topicId))
    .slice(0, EACH_MAX)
    .map(({ topicId }) => ({ kind: 'Topic', id: topicId, detail: '', segments: ['topics', topicId] }));
}

const isPart = (query: string, text: string) => text.toLowerCase().includes(query.toLowerCase());
const orNone = (found: Promise<Match[]>) => found.catch((): Match[] => []);
