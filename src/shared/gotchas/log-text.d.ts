/** Colours and other orders to a terminal are no words. */
export declare function plainLog(text: string): string;
/** What the search reads of a text; all of it where it is not too long. */
export declare function boundText(text: string): {
    readonly text: string;
    readonly isCut: boolean;
};
/** The line around this place, or what is near it where the line is long. */
export declare function lineAt(text: string, at: number): string;
