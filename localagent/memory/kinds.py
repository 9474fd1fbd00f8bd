"""What an entry can be: its kind, whose and of whom it is, where and whether it counts. Part of the contract of
long-term memory; apart from it, for the commands that name these in their options."""

from __future__ import annotations

from typing import Literal, TypeAlias

# Of the user: profile, preference, habit, relationship, event; of the agent itself: persona, style, emotion, opinion,
# event; of the work: decision, todo, fact; document: a piece of a file that was taken in.
Kind: TypeAlias = Literal[
    "profile", "preference", "habit", "relationship", "event", "persona", "style", "emotion", "opinion",
    "decision", "todo", "fact", "document",
]  # fmt: skip
# Whom an entry is about.
Subject: TypeAlias = Literal["user", "agent"]
# Whose words it was made of. What was recalled is never made into an entry again.
Origin: TypeAlias = Literal["user", "assistant", "tool", "file", "recalled"]
# Where it counts: everywhere, for the agent that heard it, or in its thread alone.
Scope: TypeAlias = Literal["all", "agent", "thread"]
# superseded  a newer entry says otherwise (`superseded_by`); kept with the dates between which it held
# archived    faded, or put away by the user; `memory restore` brings it back
State: TypeAlias = Literal["active", "superseded", "archived"]

# Decay per day, and importance where nothing better is known.
DECAY: dict[Kind, float] = {
    "profile": 0.005, "persona": 0.005, "relationship": 0.005, "preference": 0.02, "habit": 0.02, "style": 0.02,
    "opinion": 0.02, "emotion": 0.05, "event": 0.05, "decision": 0.02, "todo": 0.02, "fact": 0.02, "document": 0.0,
}  # fmt: skip
IMPORTANCE: dict[Kind, float] = {
    "profile": 0.9, "persona": 0.9, "relationship": 0.8, "preference": 0.7, "habit": 0.6, "style": 0.6,
    "opinion": 0.5, "emotion": 0.35, "event": 0.5, "decision": 0.8, "todo": 0.7, "fact": 0.6, "document": 0.5,
}  # fmt: skip
# An event of no more importance that corrects something is kept only in the place of that.
NEWS = 0.3
# What is about the user counts for every agent; the rest for the one that was told.
EVERYWHERE: frozenset[Kind] = frozenset(("preference", "profile", "habit", "relationship"))
