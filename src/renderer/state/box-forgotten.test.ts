import { beforeEach, expect, it } from 'vitest';
import { boxForgotten } from './box-forgotten.ts';
import {
  backChosen,
  boxChosen,
  costsChosen,
  fleetChosen,
  selectCanGoBack,
  settingsChosen,
  tabChosen,
  useView,
} from './view.ts';

beforeEach(() => useView.setState(useView.getInitialState(), true));

const page = () => useView.getState().page;

it('leads back to no box that is no more, and not to the page that is shown already', () => {
  settingsChosen('settings');
  fleetChosen();
  boxChosen('gone');
  costsChosen('gone');
  fleetChosen();
  tabChosen('gone', 'runs');
  boxForgotten('gone');
  expect(page()).toEqual({ kind: 'fleet' });
  backChosen();
  expect(page()).toEqual({ kind: 'settings', section: 'settings' });
});

it('stays where another page is shown, and leads back to other boxes', () => {
  boxChosen('other');
  boxChosen('gone');
  settingsChosen('settings');
  boxForgotten('gone');
  expect(page()).toMatchObject({ kind: 'settings' });
  backChosen();
  expect(page()).toMatchObject({ kind: 'box', boxId: 'other' });
  backChosen();
  expect(selectCanGoBack(useView.getState())).toBe(false);
});
