"""Whether a call may run: the policy decides first, then what was allowed for ever, then a person."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import replace
from typing import cast

from localagent.abort import AbortSignal
from localagent.calls import ApprovalPolicy, ApprovalRequest, Approvals, Approver, Decision, Toolbox, canonical, exact
from localagent.messages import JsonObject, ToolCallPart

FLAG = "--allow-tool"


class Gate:
    """Asked before each call of one agent that could run (`Toolbox.refusal` gave None). Thread-safe, as far as its
    parts are.

    `approver` None: nobody can be asked, and what would have to be is denied. `named`: the tools that were allowed by
    name for this run. `folder`: where relative paths begin. `asked_as`: `ApprovalRequest.agent`. Raises StorageError
    and, where the policy fails, ConfigError: then nothing runs.
    """

    def __init__(
        self,
        agent: str,
        policy: ApprovalPolicy,
        approvals: Approvals,
        approver: Approver | None,
        named: Collection[str] = (),
        folder: str = "",
        asked_as: str = "",
    ) -> None:
        self._agent = agent
        self._policy = policy
        self._approvals = approvals
        self._approver = approver
        self._named = frozenset(named)
        self._folder = folder
        self._asked_as = asked_as

    def decide(self, call: ToolCallPart, toolbox: Toolbox, abort: AbortSignal) -> Decision:
        """allow or deny, never ask, with the reason for the record and for the model. Deadlines of `abort`, and of
        what it follows, do not run while a person is asked. Raises `Aborted` when the person stops the turn."""
        try:
            request = self._request(call, toolbox)
        except (ValueError, RecursionError):  # numbers of thousands of digits, lists a thousand deep
            return Decision("deny", "its arguments cannot be written down, so nobody can decide on them")
        decision = self._policy(request)
        if decision.verdict == "deny":
            return Decision("deny", f"denied by policy: {decision.reason}" if decision.reason else "denied by policy")
        if decision.verdict == "allow":
            return decision
        if self._approvals.allowed(self._agent, request):
            return Decision("allow", "always allowed for exactly this")
        if self._approver is None:
            return Decision("deny", f"nobody can be asked: allow it with {FLAG} {request.name}")
        with abort.paused():
            approval = self._approver(request, abort)
        abort.raise_if_aborted()
        if approval.answer == "deny":
            return Decision("deny", f"denied by the user: {approval.reason}" if approval.reason else _NO)
        now = self._request(call, toolbox)
        if (now.shown, now.exactly) != (request.shown, request.exactly):
            return Decision("deny", "what it would do has changed while the user was asked", again=True)
        if approval.answer == "always":
            self._approvals.allow(self._agent, request)
        return Decision("allow", f"allowed by the user, {_ALLOWED[approval.answer]}")

    def _request(self, call: ToolCallPart, toolbox: Toolbox) -> ApprovalRequest:
        # A copy: what a policy does to it changes nothing that runs.
        arguments = cast("JsonObject", json.loads(canonical(call.arguments)))
        request = ApprovalRequest(
            tool=call.name,
            effects=toolbox.effects(call.name),
            arguments=arguments,
            shown=exact(toolbox.shown(call)),
            paths=tuple(toolbox.paths(call)),
            interactive=self._approver is not None,
            folder=self._folder,
            version=_version(call.name, toolbox),
            agent=self._asked_as,
        )
        return replace(request, named=request.name in self._named)


def _version(name: str, toolbox: Toolbox) -> str:
    """Also of what the model is told: a server may offer something else under the same name."""
    told = [[spec.description, spec.parameters, spec.code] for spec in toolbox.specs() if spec.name == name]
    return hashlib.sha256(canonical([told, sorted(toolbox.effects(name))]).encode()).hexdigest()


_NO = "denied by the user, who gave no reason"
_ALLOWED = {"once": "once", "always": "always for exactly this"}
